import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { anApi, type TestApi } from '../support/api.js';
import { capturedResourceSpans } from '../support/captured-spans.js';
import { aProject, anOrganization } from '../support/things.js';

const fixture = (name: string): Buffer =>
  readFileSync(new URL(`../fixtures/drop-in/${name}`, import.meta.url));

/** What a real client sent, in the smallest pieces that it could have sent instead, by their order. */
interface Capture {
  path: string;
  contentType: string;
  pieces: unknown[];
  /** Pieces in one request. */
  body(pieces: unknown[]): Buffer | string;
}

const otlp = (resourceSpans: unknown[], path = '/v1/traces'): Capture => ({
  path,
  contentType: 'application/json',
  pieces: resourceSpans,
  body: (pieces) => JSON.stringify({ resourceSpans: pieces }),
});

/** A request of LangSmith's clients, an operation each. */
function multipart(name: string): Capture {
  const text = fixture(name).toString('latin1');
  const boundary = text.slice(2, text.indexOf('\r\n'));
  const operations = new Map<string, string>();
  for (const part of text.split(`--${boundary}\r\n`).slice(1)) {
    const whole = part.split(`--${boundary}--`)[0] as string;
    const operation = /name="(\w+\.[0-9a-f-]{36})/.exec(whole)?.[1] ?? '';
    operations.set(operation, `${operations.get(operation) ?? ''}--${boundary}\r\n${whole}`);
  }
  return {
    path: '/langsmith/runs/multipart',
    contentType: `multipart/form-data; boundary=${boundary}`,
    pieces: [...operations.values()],
    body: (pieces) => Buffer.from(`${pieces.join('')}--${boundary}--\r\n`, 'latin1'),
  };
}

function langfuse(name: string): Capture {
  const { resourceSpans } = JSON.parse(fixture(name).toString()) as Record<string, Record<string, any>[]>; // eslint-disable-line @typescript-eslint/no-explicit-any -- a capture
  const each = (resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ scope, spans }: Record<string, object[]>) =>
      (spans ?? []).map((span) => ({ resource, scopeSpans: [{ scope, spans: [span] }] })),
    ),
  );
  return otlp(each, '/langfuse/api/public/otel/v1/traces');
}

const openai = (name: string): Capture => ({
  path: '/openai/v1/traces/ingest',
  contentType: 'application/json',
  pieces: JSON.parse(fixture(name).toString()).data as unknown[],
  body: (pieces) => JSON.stringify({ data: pieces }),
});

const CAPTURES: Record<string, Capture> = {
  'langsmith-js.multipart': multipart('langsmith-js.multipart'),
  'langsmith-py.multipart': multipart('langsmith-py.multipart'),
  'langfuse-js.otlp.json': langfuse('langfuse-js.otlp.json'),
  'openai-agents-js.json': openai('openai-agents-js.json'),
  'aisdk.json': otlp(capturedResourceSpans('aisdk.json')),
  'aisdk-legacy.json': otlp(capturedResourceSpans('aisdk-legacy.json')),
  'oi-langgraph.json': otlp(capturedResourceSpans('oi-langgraph.json')),
};

describe('what real clients sent, cut and mixed', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  /** What comes of requests in an organization that has seen nothing else. */
  async function outcomeOf(capture: Capture, requests: unknown[][]): Promise<unknown> {
    const key = (await anOrganization(api.root)).api_key.key as string;
    const client = api.as(key);
    await aProject(client);
    for (const pieces of requests) {
      const headers = {
        'x-api-key': key,
        'content-type': capture.contentType,
      };
      const answer = await fetch(api.url + capture.path, {
        method: 'POST',
        headers,
        body: capture.body(pieces),
      });
      const text = await answer.text();
      expect([answer.ok, answer.ok ? '' : text]).toEqual([true, '']);
    }
    const runs = (await client.get('/v1/runs?limit=200')).body.data as { id: string }[];
    const outcomes = [];
    for (const { id } of runs) {
      const run = (await client.get(`/v1/runs/${id}?include=steps,tool_calls`)).body;
      const { status, name, totals, started_at, ended_at } = run;
      const steps = run.steps.data.map((step: Record<string, unknown>) =>
        [
          step['id'],
          step['node'],
          step['status'],
          step['parent_step_id'],
          step['tokens_in'],
          step['tokens_out'],
        ].join(' '),
      );
      const calls = run.tool_calls.data.map((call: Record<string, unknown>) =>
        [call['id'], call['name'], call['status'], call['step_id']].join(' '),
      );
      outcomes.push({
        id,
        status,
        name,
        totals,
        started_at,
        ended_at,
        steps: steps.sort(),
        calls: calls.sort(),
      });
    }
    return outcomes.sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  it.each(Object.entries(CAPTURES))(
    '[O4] [O5] %s in pieces, child first or twice, comes to what it comes to as a whole',
    async (_name, capture) => {
      const { pieces } = capture;
      const single = pieces.map((piece) => [piece]);
      const whole = await outcomeOf(capture, [pieces]);
      expect(whole).not.toEqual([]);
      expect(await outcomeOf(capture, [pieces, pieces])).toEqual(whole);
      expect(await outcomeOf(capture, single)).toEqual(whole);
      expect(await outcomeOf(capture, [...single].reverse())).toEqual(whole);
      expect(await outcomeOf(capture, [...single.slice(2), ...single, ...[...single].reverse()])).toEqual(
        whole,
      );
    },
    60_000,
  );
});
