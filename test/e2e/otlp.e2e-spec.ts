import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import {
  ENCODINGS,
  MEDIA_TYPES,
  aSpan,
  aTrace,
  aTraceId,
  attributesOf,
  exportTo,
  nanos,
  requestOf,
  runIdOf,
  type Export,
} from '../support/otlp.js';
import { shownTrace, withoutIds } from '../support/shown-trace.js';
import { aKey, aProject, aRun, anOrganization } from '../support/things.js';

const DOORS = ['/v1/traces', '/otel/v1/traces', '/otel', '/langfuse/api/public/otel/v1/traces'];

describe('OTLP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  describe.each(ENCODINGS)('in %s', (encoding) => {
    const mediaType = MEDIA_TYPES[encoding];

    it.each(DOORS)(
      '[O1] Without a key, with a wrong one and with one that may not report, %s says so in it',
      async (path) => {
        const { key } = await aKey(api.admin, { scope: 'organization', role: 'viewer' });
        for (const [bad, status, code] of [
          [undefined, 401, 16],
          ['af_org_nobody', 401, 16],
          [key, 403, 7],
        ] as const) {
          const answer = await exportTo(api, aTrace(), { encoding, path, key: bad });
          expect([answer.status, answer.code, answer.message]).toEqual([
            status,
            code,
            expect.stringMatching(/\w/),
          ]);
          expect(answer.mediaType).toContain(mediaType);
        }
      },
    );

    it('[O1] A key of another organization writes where it belongs, and reads nothing here', async () => {
      const { api_key } = await anOrganization(api.root);
      await aProject(api.as(api_key.key));
      const traceId = aTraceId();
      await exportTo(api, aTrace(traceId), { encoding });
      const before = await shownTrace(api.admin, traceId);
      expect((await exportTo(api, aTrace(traceId), { encoding, key: api_key.key })).status).toBe(200);
      expect(await shownTrace(api.admin, traceId)).toEqual(before);
      expect((await shownTrace(api.as(api_key.key), traceId)).steps).toHaveLength(1);
    });

    it('[O3] Of ten spans three cannot be kept: seven are, and it is told of three', async () => {
      const traceId = aTraceId();
      const [root] = aTrace(traceId);
      const chat = { 'gen_ai.operation.name': 'chat' };
      const spans = Array.from({ length: 9 }, () =>
        aSpan(traceId, { parentSpanId: root?.spanId, attributes: chat }),
      );
      Object.assign(spans[2] as object, { spanId: '0000000000000000' });
      Object.assign(spans[4] as object, { traceId: 'abcd' });
      Object.assign(spans[7] as object, { spanId: `${spans[7]?.spanId}00` });
      const answer = await exportTo(api, [root as object, ...spans], { encoding });
      expect([answer.status, answer.rejected, answer.message]).toEqual([200, 3, expect.stringMatching(/\w/)]);
      expect((await shownTrace(api.admin, traceId)).steps).toHaveLength(6);
    });

    it('[O3] A request of which nothing can be kept makes no run', async () => {
      const traceId = aTraceId();
      const answer = await exportTo(api, [aSpan(traceId, { name: 'a\0b' })], { encoding });
      expect([answer.status, answer.rejected]).toEqual([200, 1]);
      expect((await api.admin.get(`/v1/runs/${runIdOf(traceId)}`)).status).toBe(404);
    });

    it('[T7] An agent key reports runs of its agent, whatever their spans call it', async () => {
      const { agent_id } = await aRun(api.admin);
      const { key } = await aKey(api.admin, { scope: 'agent', agent_id, role: 'reporter' });
      const traceId = aTraceId();
      const [root, ...below] = aTrace(traceId);
      for (const spans of [below, [root as object]]) {
        const answer = await exportTo(api, spans, { encoding, key });
        expect([answer.status, answer.rejected, answer.message]).toEqual([200, 0, '']);
      }
      expect((await api.admin.get(`/v1/runs/${runIdOf(traceId)}`)).body).toMatchObject({
        ...{ agent_id, name: 'root', status: 'succeeded', external_id: `otel:${traceId}` },
        started_at: '2026-02-03T08:00:00.000000Z',
      });
    });

    it('[O3] A call that nobody has answered is kept, also with arguments that are no metadata', async () => {
      const traceId = aTraceId();
      const args = { v: Array(40).fill(1e300) };
      const call = { type: 'tool_call', id: 'c1', name: 't', arguments: args };
      const said = JSON.stringify([{ role: 'assistant', parts: [call] }]);
      const [root, chat] = aTrace(traceId);
      chat?.attributes.push(...attributesOf({ 'gen_ai.output.messages': said }));
      const answer = await exportTo(api, [root as object, chat as object], { encoding });
      expect([answer.status, answer.rejected, answer.message]).toEqual([200, 0, '']);
      const run = await shownTrace(api.admin, traceId);
      expect(run.metadata.pending_tool_calls).toEqual([{ id: 'c1', name: 't' }]);
      expect(run.messages[0].extra.tool_calls[0].arguments).toEqual(args);
    });

    it.each(['plain', 'gzip'])(
      '[O3] Where all is well nothing is said, nor of a request without spans (%s)',
      async (how) => {
        const gzip = how === 'gzip';
        for (const spans of [aTrace(), []]) {
          const answer = await exportTo(api, spans, { encoding, gzip });
          expect([answer.status, answer.rejected, answer.message]).toEqual([200, 0, '']);
          expect(answer.mediaType).toContain(mediaType);
          expect(answer.body.toString()).toBe(encoding === 'json' ? '{}' : '');
        }
      },
    );

    it.each([
      ['all zeros', '00000000000000000000000000000000'],
      ['15 bytes', '0102030405060708090a0b0c0d0e0f'],
      ['17 bytes', '0102030405060708090a0b0c0d0e0f1011'],
    ])('[O7] A trace id of %s rejects its span', async (_what, traceId) => {
      const answer = await exportTo(api, [aSpan(traceId)], { encoding });
      expect([answer.status, answer.rejected]).toEqual([200, 1]);
    });

    it('Logs that are posted to the traces are no spans: nothing is stored, and no fault of ours', async () => {
      const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue: 'x' } }] }] }] };
      const body = encoding === 'json' ? JSON.stringify(logs) : Buffer.from('0a0c120a12082a060a0178', 'hex');
      expect([200, 400]).toContain((await exportTo(api, body, { encoding })).status);
    });

    it('Metrics are taken and said to be ignored', async () => {
      const answer = await exportTo(api, encoding === 'json' ? '{}' : Buffer.alloc(0), {
        encoding,
        path: '/v1/metrics',
      });
      expect([answer.status, answer.rejected, answer.message]).toEqual([
        200,
        0,
        expect.stringContaining('not stored'),
      ]);
    });

    it('What is neither encoding is refused as no media type of ours', async () => {
      const answer = await exportTo(api, 'x', { encoding, headers: { 'content-type': 'text/plain' } });
      expect([answer.status, answer.code]).toEqual([415, 3]);
      const coded = await exportTo(api, aTrace(), { encoding, headers: { 'content-encoding': 'br' } });
      expect([coded.status, coded.code, coded.mediaType]).toEqual([
        415,
        3,
        expect.stringContaining(mediaType),
      ]);
    });
  });

  it('[O2] The same trace in JSON and protobuf, plain and gzip, at each door, comes to the same run', async () => {
    const ways: Export[] = [
      ...DOORS.flatMap((path) => ENCODINGS.map((encoding) => ({ path, encoding }))),
      ...ENCODINGS.map((encoding) => ({ encoding, gzip: true })),
    ];
    const runs = [];
    for (const way of ways) {
      const traceId = aTraceId();
      expect((await exportTo(api, aTrace(traceId), way)).status).toBe(200);
      const run = await shownTrace(api.admin, traceId);
      expect(run).toMatchObject({ status: 'succeeded', name: 'root' });
      expect(run.totals).toMatchObject({ steps: 1, tool_calls: 1, tokens_in: 5, tokens_out: 7 });
      runs.push(withoutIds(run));
    }
    for (const run of runs) expect(run).toEqual(runs[0]);
  });

  it('[O6] JSON: 64 bits as text and number, ids in any case, names of enums, unknown members passed over', async () => {
    const traceId = aTraceId();
    const [root, chat] = aTrace(traceId);
    const spans = [
      { ...root, kind: 'SPAN_KIND_INTERNAL', traceId: traceId.toUpperCase(), unknown: { of: 'ours' } },
      {
        ...chat,
        ...{ spanId: chat?.spanId.toUpperCase(), parentSpanId: root?.spanId.toUpperCase() },
        startTimeUnixNano: Number(nanos(100)),
        status: { code: 'STATUS_CODE_ERROR', message: 'no' },
        attributes: [...chat?.attributes, { key: 'n', value: { intValue: 9007199254740000 }, also: 1 }],
      },
    ];
    const answer = await exportTo(api, JSON.stringify({ ...requestOf(spans), unknown: [1] }));
    expect([answer.status, answer.rejected]).toEqual([200, 0]);
    const run = await shownTrace(api.admin, traceId);
    expect(run.steps).toEqual([
      expect.objectContaining({ status: 'failed', started_at: '2026-02-03T08:00:00.100000Z' }),
    ]);
  });

  it.each([1e19, -1e25, 1e300, '9223372036854775808', '-9223372036854775809', 1.5])(
    '[O6] JSON: %s is no integer of 64 bits: its span is refused, and the rest of its trace goes on',
    async (intValue) => {
      const traceId = aTraceId();
      const [root, chat, tool] = aTrace(traceId);
      const bad = aSpan(traceId, { parentSpanId: root?.spanId, more: [{ key: 'n', value: { intValue } }] });
      for (const spans of [[chat, bad], [tool], [chat, bad], [root]] as object[][]) {
        const answer = await exportTo(api, spans);
        expect([answer.status, answer.rejected]).toEqual([200, spans.includes(bad) ? 1 : 0]);
      }
      const run = await shownTrace(api.admin, traceId);
      expect(run).toMatchObject({ status: 'succeeded', totals: { steps: 1, tool_calls: 1 } });
    },
  );

  it('[O6] JSON: names in snake_case are not known, so that there is nothing in such a request', async () => {
    const traceId = aTraceId();
    const { resourceSpans } = requestOf(aTrace(traceId));
    const answer = await exportTo(api, JSON.stringify({ resource_spans: resourceSpans }));
    expect([answer.status, answer.rejected]).toEqual([200, 0]);
    expect((await api.admin.get(`/v1/runs/${runIdOf(traceId)}`)).status).toBe(404);
  });

  it('[O7] JSON: ids in base64, and of other letters than hex, reject their spans', async () => {
    const base64 = Buffer.from(aTraceId(), 'hex').toString('base64');
    for (const traceId of [base64, 'g'.repeat(32), '']) {
      const answer = await exportTo(api, [aSpan(traceId), aSpan(aTraceId(), { spanId: 'zz' })]);
      expect([answer.status, answer.rejected]).toEqual([200, 2]);
    }
  });
});
