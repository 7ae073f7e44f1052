import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { protobufOf } from '../support/otlp-protobuf.js';
import {
  ENCODINGS,
  aSpan,
  aTraceId,
  attributesOf,
  exportTo,
  nanos,
  requestOf,
  runIdOf,
} from '../support/otlp.js';

describe('logs of OTLP', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  describe.each(ENCODINGS)('in %s', (encoding) => {
    it.each(['the log', 'the spans'])(
      '[O4] What was logged within a span belongs to the run that their process names, where %s came first',
      async (first) => {
        const [runId, traceId] = [randomUUID(), aTraceId()];
        const resource = { attributes: attributesOf({ 'agentflow.run.id': runId }) };
        const root = aSpan(traceId);
        const chat = aSpan(traceId, {
          parentSpanId: root.spanId,
          attributes: { 'gen_ai.operation.name': 'chat' },
        });
        const [spans] = requestOf([root, chat]).resourceSpans;
        const messages = '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]';
        const log = {
          ...{ traceId, spanId: chat.spanId, timeUnixNano: nanos(1) },
          eventName: 'gen_ai.client.inference.operation.details',
          attributes: attributesOf({ 'gen_ai.input.messages': messages }),
        };
        const requests = [
          { path: '/v1/logs', request: { resourceLogs: [{ resource, scopeLogs: [{ logRecords: [log] }] }] } },
          { path: '/v1/traces', request: { resourceSpans: [{ ...spans, resource }] } },
        ];
        for (const { path, request } of first === 'the log' ? requests : requests.reverse()) {
          const body = encoding === 'json' ? JSON.stringify(request) : protobufOf(request);
          const answer = await exportTo(api, body, { encoding, path });
          expect([answer.status, answer.message]).toEqual([200, '']);
        }
        const said = await api.admin.get(`/v1/runs/${runId}/messages`);
        expect(said.body.data).toMatchObject([{ role: 'user', content: 'hi' }]);
        expect((await api.admin.get(`/v1/runs/${runIdOf(traceId)}`)).status).toBe(404);
      },
    );
  });
});
