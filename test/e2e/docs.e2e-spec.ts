import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { filesIn } from '../support/markdown.js';

describe('the API page', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const get = (path: string): Promise<Response> => fetch(api.url + path);

  it('Anybody can read the document and the page, which take everything from this server', async () => {
    const page = await get('/docs');
    const html = await page.text();
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link as string);
    expect(links.length).toBeGreaterThan(2);
    for (const link of links) {
      expect(link).toMatch(/^\/docs(\/|$)/);
      const answer = await get(link);
      expect([link, answer.status]).toEqual([link, 200]);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
    expect(html + (await (await get('/docs/page.js')).text())).not.toMatch(/https?:/);
    const document = await get('/openapi.json');
    expect(document.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(((await document.json()) as { openapi: string }).openapi).toMatch(/^3\.1\./);
  });

  it('The address of the server shows the page, and so does the page with a slash behind it', async () => {
    const page = await (await get('/docs')).text();
    for (const path of ['/', '/docs/']) {
      const answer = await get(path);
      expect([path, answer.status, await answer.text()]).toEqual([path, 200, page]);
    }
  });

  it('[X2] Pages run their own scripts only, are framed by nobody, and tell nobody where they were read', async () => {
    for (const path of [
      '/docs',
      '/docs/page.js',
      '/docs/swagger-ui.css',
      '/openapi.json',
      '/docs/problems/not_found',
    ]) {
      const { headers } = await get(path);
      const policy = Object.fromEntries(
        (headers.get('content-security-policy') ?? '').split(';').map((rule) => {
          const [name = '', ...sources] = rule.trim().split(' ');
          return [name, sources.join(' ')];
        }),
      );
      expect([path, policy]).toMatchObject([
        path,
        {
          'default-src': "'self'",
          'object-src': "'none'",
          'base-uri': "'none'",
          'frame-ancestors': "'none'",
        },
      ]);
      expect(policy['script-src'] ?? policy['default-src']).not.toMatch(/unsafe|\*|http/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('content-type')).toMatch(/; charset=utf-8$/);
    }
  });

  it('[X2] Answers in JSON say so, run nothing, are framed by nobody and kept by nobody, whatever they answer', async () => {
    const asked = [
      ['GET', '/v1/me'],
      ['GET', '/v1/runs'],
      ['GET', '/v1/nothing'],
      ['GET', '/v1/runs/%ff'],
      ['PUT', '/v1/runs'],
      ['POST', '/v1/projects'],
      ['GET', '/livez'],
      ['GET', '/readyz'],
      ['GET', '/version'],
    ] as const;
    for (const client of [api.admin, api.as(undefined)]) {
      for (const [method, path] of asked) {
        const { headers } = await client.call(method, path);
        expect([path, headers.get('content-type')]).toEqual([
          path,
          expect.stringMatching(/^application\/(problem\+)?json; charset=utf-8$/),
        ]);
        expect([path, headers.get('content-security-policy')]).toEqual([
          path,
          "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ]);
        expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
        expect([path, headers.get('referrer-policy')]).toEqual([path, 'no-referrer']);
        expect([path, headers.get('cache-control')]).toEqual([path, 'no-store']);
        expect([path, headers.get('x-request-id')]).toEqual([path, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      }
    }
  });

  it('[X6] No origin is told that it may read answers', async () => {
    for (const origin of ['null', 'https://evil.example', api.url]) {
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await api.admin.call(method, '/v1/me', undefined, {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        });
        expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
  });

  it('Whoever begins at the API page gets to every guide, problem and decision, and no link leads nowhere', async () => {
    const seen = new Set(['/docs']);
    const broken: string[] = [];
    for (const path of seen) {
      const page = await get(path);
      const html = await page.text();
      if (page.status !== 200) broken.push(path);
      if (!page.headers.get('content-type')?.startsWith('text/html')) continue;
      for (const [, link] of html.matchAll(/<a href="([^"]+)"/g)) {
        const target = new URL(link as string, api.url + path);
        if (target.origin === new URL(api.url).origin) seen.add(target.pathname);
      }
    }
    expect(broken).toEqual([]);
    const written = ['problems', 'guides', 'decisions'].flatMap((folder) =>
      filesIn(`docs/${folder}`).map((name) => `/docs/${folder}/${name.replace(/\.md$/, '')}`),
    );
    expect(written.filter((path) => !path.endsWith('/README') && !seen.has(path))).toEqual([]);
    expect([...seen]).toContain('/openapi.json');
  });

  it('Links into a page lead to a heading of it', async () => {
    const broken: string[] = [];
    for (const path of ['/docs/guides/costs', '/docs/guides/runs', '/docs/guides/idempotency']) {
      const html = await (await get(path)).text();
      const links = [...html.matchAll(/<a href="([^"#]*)#([^"]+)"/g)];
      expect([path, links.length]).not.toEqual([path, 0]);
      for (const [link, page = '', anchor] of links) {
        const target = await (await get(page || path)).text();
        if (!target.includes(` id="${anchor}"`)) broken.push(link);
      }
    }
    expect(broken).toEqual([]);
  });

  it('Every page and every index has the ways to the others at its head', async () => {
    const heads = await Promise.all(
      ['/docs', '/docs/guides', '/docs/problems/', '/docs/guides/costs', '/docs/problems/run.final'].map(
        async (path) => {
          const head = /<nav>[\s\S]*?<\/nav>/.exec(await (await get(path)).text())?.[0] ?? '';
          return [...head.matchAll(/href="([^"]+)"/g)].map(([, link]) => link);
        },
      ),
    );
    for (const links of heads) {
      expect(links).toEqual(['/docs', '/docs/guides', '/docs/problems', '/docs/decisions']);
    }
  });

  it('A page can be had as it reads and as it was written', async () => {
    const [page, written] = await Promise.all([
      get('/docs/problems/run.final'),
      get('/docs/problems/run.final.md'),
    ]);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await page.text()).toContain('<h1 id="runfinal">run.final</h1>');
    expect(written.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await written.text()).toMatch(/^# run\.final\n/);
  });

  it('A browser that asks for a page which is not there gets a page that says so; programs get the problem', async () => {
    const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
    for (const path of ['/docs/guides/nothing', '/docs/problems/nothing.md', '/docs/nothing', '/guides']) {
      const page = await fetch(api.url + path, { headers: browser });
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(await page.text()).toContain('<a href="/docs/guides">');
      const problem = await get(path);
      expect([problem.status, ((await problem.json()) as { code: string }).code]).toEqual([404, 'not_found']);
    }
    const problem = await fetch(`${api.url}/v1/nothing`, { headers: browser });
    expect(problem.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });
});
