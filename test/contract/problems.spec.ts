import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROBLEMS, type ProblemCode } from '@agentflow/contracts';
import { existsSync, readFileSync } from 'node:fs';
import { anApi, type TestApi } from '../support/api.js';
import { PRODUCERS } from '../support/doors/refused.js';

const CODES = Object.keys(PROBLEMS) as ProblemCode[];
const pageOf = (code: string): URL => new URL(`../../docs/problems/${code}.md`, import.meta.url);

describe('problems', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi({ AGENTFLOW_LOCK_TIMEOUT_MS: '300' });
  });
  afterAll(() => api.close());

  it.each(CODES)(
    'A client that meets %s gets a problem by RFC 9457, with the headers of every answer',
    async (code) => {
      const { status, title } = PROBLEMS[code];
      const answer = await PRODUCERS[code](api);
      const body = JSON.parse(answer.text) as Record<string, unknown>;
      expect(body).toMatchObject({ type: `/docs/problems/${code}`, title, status, code });
      expect([answer.status, answer.header('content-type')]).toEqual([
        status,
        'application/problem+json; charset=utf-8',
      ]);
      expect(body.instance).toBe(`urn:uuid:${answer.header('x-request-id')}`);
      expect(answer.header('x-content-type-options')).toBe('nosniff');
      expect(answer.header('cache-control')).toBe('no-store');
      expect(answer.header('content-security-policy')).toContain("default-src 'none'");
      expect(answer.header('retry-after') !== undefined).toBe(
        status === 503 || status === 429 || code === 'idempotency.in_progress',
      );
      expect(answer.header('www-authenticate') !== undefined).toBe(status === 401);
      expect(answer.header('allow') !== undefined).toBe(status === 405);
      expectFaults(code, body);
    },
  );

  /** Nothing but the documented members; a refusal of what was sent says where, a failure of ours says nothing. */
  function expectFaults(code: ProblemCode, body: Record<string, unknown>): void {
    const errors = body.errors as { pointer: string; detail: string }[] | undefined;
    if (PROBLEMS[code].status === 400) expect(errors?.length).toBeGreaterThan(0);
    for (const fault of errors ?? []) {
      expect(fault).toEqual({ pointer: expect.any(String), detail: expect.any(String) });
    }
    if (PROBLEMS[code].status >= 500) {
      expect(Object.keys(body).sort()).toEqual(['code', 'instance', 'status', 'title', 'type']);
    }
  }

  it('Every code has a page, which names it and its status, and which its type leads to', async () => {
    const missing: string[] = [];
    for (const code of CODES) {
      if (!existsSync(pageOf(code))) {
        missing.push(code);
        continue;
      }
      const answer = await fetch(`${api.url}/docs/problems/${code}.md`);
      const text = await answer.text();
      expect([code, answer.status, text]).toEqual([code, 200, readFileSync(pageOf(code), 'utf8')]);
      expect([code, text.includes(code), text.includes(String(PROBLEMS[code].status))]).toEqual([
        code,
        true,
        true,
      ]);
    }
    expect(missing).toEqual([]);
  });

  it('There is no page for what is no code, whatever it is called', async () => {
    const names = [
      'nothing',
      '__proto__',
      'constructor',
      'toString',
      '..%2F..%2Fpackage.json',
      '%00',
      'x'.repeat(300),
    ];
    for (const name of names) {
      const answer = await api.as(undefined).get(`/docs/problems/${name}`);
      expect([name, answer.status, answer.body.code]).toEqual([name, 404, 'not_found']);
    }
  });

  it('Titles and statuses are those of refusals, and no two codes share a title', () => {
    const titles = CODES.map((code) => PROBLEMS[code].title);
    expect(new Set(titles).size).toBe(CODES.length);
    for (const code of CODES) {
      expect(PROBLEMS[code].status).toBeGreaterThanOrEqual(400);
      expect(code).toMatch(/^[a-z_]+(\.[a-z_]+)?$/);
    }
  });
});
