import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { aProject } from '../support/things.js';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/drop-in/${name}`, import.meta.url));
const boundaryOf = (body: Buffer): string => body.subarray(2, body.indexOf('\r\n')).toString();

interface Captured {
  name: string;
  path: string;
  body: Buffer;
  headers(key: string): Record<string, string>;
  tokens: [number, number];
  calls: number;
}

const multipart = (name: string): Captured => ({
  name,
  path: '/langsmith/runs/multipart',
  body: fixture(name),
  headers: (key) => ({
    'x-api-key': key,
    'content-type': `multipart/form-data; boundary=${boundaryOf(fixture(name))}`,
  }),
  tokens: [31, 12],
  calls: 2,
});

const basic = (key: string): string => `Basic ${Buffer.from(`agentflow:${key}`).toString('base64')}`;

/** What real clients sent, byte for byte. */
const CAPTURES: Captured[] = [
  multipart('langsmith-js.multipart'),
  multipart('langsmith-py.multipart'),
  {
    name: 'langfuse-js.otlp.json',
    path: '/langfuse/api/public/otel/v1/traces',
    body: fixture('langfuse-js.otlp.json'),
    headers: (key) => ({ authorization: basic(key), 'content-type': 'application/json' }),
    tokens: [11, 7],
    calls: 2,
  },
  {
    name: 'langfuse-py.otlp.pb',
    path: '/langfuse/api/public/otel/v1/traces',
    body: gzipSync(fixture('langfuse-py.otlp.pb')),
    headers: (key) => ({
      authorization: basic(key),
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
    }),
    tokens: [11, 7],
    calls: 1,
  },
  {
    name: 'openai-agents-js.json',
    path: '/openai/v1/traces/ingest',
    body: fixture('openai-agents-js.json'),
    headers: (key) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' }),
    tokens: [31, 12],
    calls: 1,
  },
];

describe('agents that report to somebody else', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  it.each(CAPTURES)('$name becomes one whole run, however often it is sent', async (captured) => {
    const known = new Set<string>();
    for (const { id } of (await api.admin.get('/v1/runs?limit=200')).body.data) known.add(id);
    for (let i = 0; i < 2; i++) {
      const answer = await fetch(api.url + captured.path, {
        method: 'POST',
        headers: captured.headers(api.adminKey),
        body: captured.body,
      });
      expect([answer.ok, await answer.text()]).toEqual([true, expect.any(String)]);
    }
    const runs = (await api.admin.get('/v1/runs?limit=200')).body.data.filter(
      ({ id }: { id: string }) => !known.has(id),
    );
    expect(runs).toHaveLength(1);
    const run = (await api.admin.get(`/v1/runs/${runs[0].id}?include=steps,messages,tool_calls`)).body;
    expect([run.status, Number(run.totals.tokens_in), Number(run.totals.tokens_out)]).toEqual([
      'succeeded',
      ...captured.tokens,
    ]);
    const calls = run.tool_calls.data;
    expect(calls).toHaveLength(captured.calls);
    const search = calls.find(({ name }: { name: string }) => name === 'search');
    expect(JSON.stringify(search.result)).toContain('found');
    if (captured.calls === 2) {
      expect(calls.find(({ name }: { name: string }) => name === 'boom').status).toBe('failed');
    }
  });
});
