import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const NOT_OURS = new Set(['node_modules', 'dist', 'coverage', '.git', '.agentflow', '.cache']);

/** A page of the documentation, by its path in the repository. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A file of the repository, as it is. */
export function textOf(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

/** Every Markdown file of the repository. */
export function pages(folder = ''): Page[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : pages(path);
    return entry.name.endsWith('.md') ? [{ path, text: textOf(path) }] : [];
  });
}

/** The names of the files in a folder of the repository. */
export function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder)).sort();
}

const prose = (text: string): string =>
  text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Where a page leads to within the repository: the path, and the heading when one is named. */
export function linksIn({ path, text }: Page): { target: string; anchor: string | undefined }[] {
  const written = [
    ...prose(text).matchAll(/\]\(([^)\s]+)\)/g),
    ...prose(text).matchAll(/^\[[^\]]+\]: (\S+)/gm),
    ...prose(text).matchAll(/(?:src|href|srcset)="([^"]+)"/g),
  ].map((match) => match[1] as string);
  return written
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [file = '', anchor] = link.split('#', 2);
      const target = file === '' ? path : relative(ROOT, join(ROOT, dirname(path), file));
      return { target, anchor };
    });
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsIn(text: string): string[] {
  return [...text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

/** The headings of the second level, in their order. */
export function sectionsIn(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((match) => match[1] as string);
}

/** The rows of every table in a text whose first cell passes, cell by cell. */
export function rowsIn(text: string, first: RegExp): string[][] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter(([cell = '']) => first.test(cell));
}

/** What stands in backticks. */
export function codesIn(text: string): string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string);
}
