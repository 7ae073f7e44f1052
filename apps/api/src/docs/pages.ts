import { notFound } from '@agentflow/domain';
import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { Marked } from 'marked';
import { productFile } from '../installation.js';
import { sendPage } from './send-page.js';

/** The folders of `docs/` that an installation serves: what an answer, or another page, links to. */
const FOLDERS = ['problems', 'guides', 'decisions'];

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      // What lies outside `docs/` is in the repository only.
      if (href.startsWith('../../')) return text;
      const target = /^[a-z]+:/.test(href) ? href : href.replace(/\.md(#|$)/, '$1');
      return `<a href="${target}">${text}</a>`;
    },
  },
});

/** As repository browsers name a heading, so that one link serves both. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

/** Serves the product's own pages for readers; with `.md` behind the address, as they were written. */
export function servePages(server: FastifyInstance): void {
  for (const folder of FOLDERS) {
    const pages = pagesIn(folder);
    server.get(`/docs/${folder}/:page`, (request, reply) => {
      const { page } = request.params as { page: string };
      const written = pages.get(page.replace(/\.md$/, ''));
      if (written === undefined) throw notFound();
      if (page.endsWith('.md')) sendPage(reply, 'text/markdown; charset=utf-8', written);
      else sendPage(reply, 'text/html; charset=utf-8', pageOf(written));
    });
  }
}

function pagesIn(folder: string): Map<string, string> {
  const place = productFile(`docs/${folder}/`);
  const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.md')) : [];
  return new Map(names.map((name) => [name.slice(0, -3), readFileSync(new URL(name, place), 'utf8')]));
}

const RENDERED = new Map<string, string>();

/** Rendering takes milliseconds and anybody may ask, so each page is rendered once. */
function pageOf(written: string): string {
  const page = RENDERED.get(written) ?? rendered(written);
  RENDERED.set(written, page);
  return page;
}

function rendered(written: string): string {
  const title = /^# (.*)$/m.exec(written)?.[1] ?? 'AgentFlow';
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title} · AgentFlow</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/pages.css" />
  </head>
  <body>
    <nav><a href="/docs">AgentFlow API</a></nav>
    <main>
${marked.parse(written, { async: false })}
    </main>
  </body>
</html>
`;
}

/** The look of a page: one column, the system's own letters, light and dark as the reader has it. */
export const PAGE_STYLE = `:root { color-scheme: light dark; --line: #8884; --accent: light-dark(#2050c0, #8ab4ff); }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; font: 1rem/1.55 system-ui, sans-serif; }
nav { border-bottom: 1px solid var(--line); padding-bottom: .5rem; }
a { color: var(--accent); }
h1 { font-size: 1.6rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
pre { overflow-x: auto; padding: .75rem; border: 1px solid var(--line); border-radius: 4px; }
code { font: .875em/1.5 ui-monospace, monospace; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { border-bottom: 1px solid var(--line); padding: .35rem .75rem .35rem 0; text-align: left; vertical-align: top; }
`;
