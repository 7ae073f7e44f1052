import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { ENCODINGS, aSpan, aTrace, aTraceId, exportTo, requestOf } from '../support/otlp.js';
import { aKey, aProject } from '../support/things.js';

describe('what an exporter of OTLP is told', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[O3] Whatever stands in the place of a span counts as one that was rejected', async () => {
    const spans = [{ traceId: 'bad' }, 5, null, []] as object[];
    const answer = await exportTo(api, JSON.stringify(requestOf(spans)));
    expect([answer.status, answer.rejected]).toEqual([200, 4]);
  });

  it.each([
    ['with the root of their trace', () => aTrace().map(({ traceId: _id, ...span }) => span)],
    ['of which the root is elsewhere', () => [{ parentSpanId: '00000000000000aa' }]],
  ])('[O3] Spans %s count once each when their run belongs to another project', async (_what, some) => {
    const projects = [await aProject(api.admin), await aProject(api.admin)];
    const keys = projects.map(({ id }) =>
      aKey(api.admin, { scope: 'project', project_id: id, role: 'reporter' }),
    );
    const [mine, other] = (await Promise.all(keys)).map(({ key }) => key as string);
    const traceId = aTraceId();
    expect((await exportTo(api, aTrace(traceId), { key: mine })).rejected).toBe(0);
    const first = some().map((span) => ({ ...aSpan(traceId), ...span }));
    const chat = { 'gen_ai.operation.name': 'chat', 'gen_ai.prompt': '[{"role":"user","content":"hello"}]' };
    const [{ spanId: above }] = first as [{ spanId: string }];
    const more = Array.from({ length: 21 - first.length }, () =>
      aSpan(traceId, { parentSpanId: above, attributes: chat }),
    );
    const answer = await exportTo(api, [...first, ...more], { key: other });
    expect([answer.status, answer.rejected]).toEqual([200, 21]);
  });

  describe.each(ENCODINGS)('of metrics in %s', (encoding) => {
    const path = '/v1/metrics';

    it('They are taken, and nothing of them is kept', async () => {
      const body = encoding === 'json' ? '{"resourceMetrics":[{}]}' : Buffer.from('0a00', 'hex');
      for (const gzip of [false, true]) {
        const answer = await exportTo(api, body, { encoding, path, gzip });
        expect([answer.status, answer.message]).toEqual([200, expect.stringContaining('not stored')]);
      }
      expect((await exportTo(api, Buffer.alloc(0), { encoding, path })).status).toBe(200);
    });

    it.each([
      ['is no such encoding', Buffer.from('{"a":['), {}, 400],
      ['is gzip that was cut off', gzipSync('{}').subarray(0, -9), { 'content-encoding': 'gzip' }, 400],
      ['is no gzip', Buffer.from('{}'), { 'content-encoding': 'gzip' }, 400],
      ['is brotli', Buffer.from('{}'), { 'content-encoding': 'br' }, 415],
    ])('[O10] [R2] A body that %s is refused', async (_what, body, headers, status) => {
      expect((await exportTo(api, body, { encoding, path, headers })).status).toBe(status);
    });
  });
});
