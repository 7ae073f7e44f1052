import { notFound } from '@agentflow/domain';
import type { FastifyInstance } from 'fastify';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { Marked } from 'marked';
import { productFile } from '../installation.js';
import { framed } from './frame.js';
import { sendPage } from './send-page.js';

/** The folders of `docs/` that an installation serves: what an answer, or another page, links to. */
const FOLDERS = ['problems', 'guides', 'decisions'];

/** The page that a folder's own address shows. */
const INDEX = 'README';

/** Serves the product's own pages for readers; with `.md` behind the address, as they were written. */
export function servePages(server: FastifyInstance): void {
  for (const folder of FOLDERS) {
    const pages = pagesIn(folder);
    const rendered = new Map<string, string>();
    /** Rendering takes milliseconds and anybody may ask, so each page is rendered once. */
    const pageOf = (name: string, written: string): string => {
      const page = rendered.get(name) ?? render(written, placeOf(folder, name));
      rendered.set(name, page);
      return page;
    };
    server.get(`/docs/${folder}`, (_request, reply) => {
      sendPage(reply, 'text/html; charset=utf-8', pageOf(INDEX, pages.get(INDEX) ?? ''));
    });
    server.get(`/docs/${folder}/:page`, (request, reply) => {
      const { page } = request.params as { page: string };
      const name = page.replace(/\.md$/, '') || INDEX;
      const written = pages.get(name);
      if (written === undefined) throw notFound();
      if (page.endsWith('.md')) sendPage(reply, 'text/markdown; charset=utf-8', written);
      else sendPage(reply, 'text/html; charset=utf-8', pageOf(name, written));
    });
  }
}

/** The pages of a folder by name. One that has no index of its own gets its section of the map. */
function pagesIn(folder: string): Map<string, string> {
  const place = productFile(`docs/${folder}/`);
  const names = existsSync(place) ? readdirSync(place).filter((name) => name.endsWith('.md')) : [];
  const pages = new Map(names.map((name) => [name.slice(0, -3), readFileSync(new URL(name, place), 'utf8')]));
  return pages.has(INDEX) ? pages : pages.set(INDEX, sectionOfMap(folder));
}

function sectionOfMap(folder: string): string {
  const map = productFile(`docs/${INDEX}.md`);
  const sections = existsSync(map) ? readFileSync(map, 'utf8').split(/^## /m).slice(1) : [];
  const section = sections.find((text) => text.toLowerCase().startsWith(`${folder}\n`)) ?? folder;
  return `# ${section.replaceAll(`](${folder}/`, '](')}`;
}

/** Where a page stands among the files of `docs/`, as far as its links can tell. */
function placeOf(folder: string, name: string): URL {
  return new URL(`/docs/${folder}/${name}.md`, 'file:///');
}

function render(written: string, place: URL): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const target = addressOf(href, place);
        return target === undefined ? text : `<a href="${target}">${text}</a>`;
      },
    },
  });
  const title = /^# (.*)$/m.exec(written)?.[1] ?? 'AgentFlow';
  return framed(title, marked.parse(written, { async: false }));
}

/** Where a link between files leads on a server; nowhere, when what it names is in the repository only. */
function addressOf(href: string, place: URL): string | undefined {
  if (/^([a-z]+:|#)/.test(href)) return href;
  const { pathname, hash } = new URL(href, place);
  if (pathname === '/docs/openapi.json') return '/openapi.json';
  const [, folder, name] = /^\/docs\/(\w+)\/([\w.-]+)\.md$/.exec(pathname) ?? [];
  if (folder === undefined || !FOLDERS.includes(folder)) return undefined;
  return `/docs/${folder}${name === INDEX ? '' : `/${name}`}${hash}`;
}

/** As repository browsers name a heading, so that one link serves both. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}
