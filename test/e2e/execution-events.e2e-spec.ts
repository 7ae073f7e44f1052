import { executionEventSchema, type ExecutionEvent } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { head, rawExchange } from '../support/raw-http.js';
import { openStream } from '../support/streams.js';
import * as things from '../support/things.js';
import { openWebSocket, type OpenWebSocket } from '../support/web-sockets.js';

let api: TestApi;
beforeAll(async () => {
  api = await anApi();
});
afterAll(() => api.close());

const bearer = (key = api.adminKey): Record<string, string> => ({ authorization: `Bearer ${key}` });
const socketTo = (runId: string, query = '', headers = bearer()): Promise<OpenWebSocket> =>
  openWebSocket(api, `/ws/execution/${runId}${query}`, headers);
const streamOf = (runId: string, query = '', headers: Record<string, string> = {}) =>
  openStream(api, `/v1/runs/${runId}/events?format=execution${query}`, api.adminKey, headers);
const types = (events: readonly ExecutionEvent[]): string[] => events.map(({ type }) => type);

const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
const isExecutionEvent = ajv.compile(executionEventSchema());

/** A run with a step that succeeded, one that failed, and something that the format has no word for. */
async function aToldRun(): Promise<{ id: string; stepIds: string[] }> {
  const agent = await things.anAgent(api.admin, { name: `review ${randomUUID()}` });
  const run = await things.aRunningRun(api.admin, { agent_id: agent.id });
  const path = `/v1/runs/${run.id}/steps`;
  const load = await things.aStep(api.admin, run.id, { node: 'load', input: { file: 'main.py' }, tier: '2' });
  await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', content: 'hello' });
  await api.admin.patch(`${path}/${load.id}`, {
    ...{ status: 'succeeded', output: { code: 'x' }, model: 'gpt-4o', tokens_in: 400, tokens_out: 50 },
    latency_ms: 120,
  });
  const judge = await things.aStep(api.admin, run.id, { node: 'judge' });
  await api.admin.patch(`${path}/${judge.id}`, { status: 'failed', error: 'ValueError: no' });
  await api.admin.post(`/v1/runs/${run.id}/fail`, { error: 'judge raised ValueError' });
  return { id: run.id, stepIds: [load.id, judge.id] };
}

const STORY = [
  'workflow_start',
  'step_start',
  'step_end',
  'step_complete',
  'step_start',
  'step_end',
  'step_error',
  'error',
  'workflow_end',
];

describe('execution events', () => {
  it('[E11] tell a run in the older format, by either way, and end behind the last one', async () => {
    const { id, stepIds } = await aToldRun();
    const socket = await socketTo(id);
    const told = await socket.rest();
    expect(types(told)).toEqual(STORY);
    expect(await socket.closed).toEqual([1000, 'everything is told']);
    const stream = await streamOf(id);
    const streamed = await stream.rest();
    expect(streamed.map(({ data }) => data)).toEqual(told);
    expect(streamed.map(({ type }) => type)).toEqual(STORY);
    expect(streamed.map((event) => Number(event.id))).toEqual(told.map(({ seq }) => seq));
    expect(told.filter((one) => !isExecutionEvent(one))).toEqual([]);
    expect(told[3]).toEqual({
      ...{ type: 'step_complete', run_id: id, seq: 5, step: 'load', step_id: stepIds[0], status: 'success' },
      ...{ timestamp: expect.stringMatching(/^\d{4}-.*\.\d{6}Z$/), duration_ms: 120, model_used: 'gpt-4o' },
      ...{ tokens_used: 450, tier: '2', input: { file: 'main.py' }, output: { code: 'x' }, error: null },
      outputs: { code: 'x' },
    });
    expect(told[6]).toMatchObject({ step: 'judge', status: 'failed', error: 'ValueError: no', output: null });
    expect(told[7]).toMatchObject({ error: 'judge raised ValueError' });
    expect(told[8]).toMatchObject({ status: 'failed' });
  });

  it('[E3] go on live behind what was told', async () => {
    const run = await things.aRunningRun(api.admin);
    const [socket, stream] = [await socketTo(run.id), await streamOf(run.id)];
    expect(types(await socket.take(1))).toEqual(['workflow_start']);
    const step = await things.aStep(api.admin, run.id, { node: 'plan', input: [1] });
    expect(await socket.take(1)).toMatchObject([{ type: 'step_start', step_id: step.id, input: [1] }]);
    await api.admin.post(`/v1/runs/${run.id}/cancel`);
    expect(await socket.rest()).toMatchObject([
      { type: 'step_end', status: 'cancelled' },
      { type: 'workflow_end', status: 'cancelled' },
    ]);
    expect(await socket.closed).toEqual([1000, 'everything is told']);
    expect(types((await stream.rest()).map(({ data }) => data))).toEqual([
      ...['workflow_start', 'step_start', 'step_end', 'workflow_end'],
    ]);
  });

  it('[E1] taken up behind any event, nothing is left out; the first of two for one thing comes again with the second', async () => {
    const { id } = await aToldRun();
    const all: ExecutionEvent[] = await (await socketTo(id)).rest();
    for (const [at, event] of all.entries()) {
      const isFirstOfTwo = event.type === 'step_end' || event.type === 'error';
      const next = await (await socketTo(id, `?after=${event.seq}`)).rest();
      expect(next).toEqual(all.slice(isFirstOfTwo ? at : at + 1));
    }
    const last = all.at(-1)?.seq;
    expect((await streamOf(id, '', { 'last-event-id': String(last) })).status).toBe(204);
    const over = await socketTo(id, `?after=${last}`);
    expect([await over.rest(), await over.closed]).toEqual([[], [1000, 'everything is told']]);
  });

  it('[E11] what the format has no word for moves the number of a stream, so that it is over when all was told', async () => {
    const run = await things.aRunningRun(api.admin);
    await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', content: 'hello' });
    const stream = await streamOf(run.id);
    expect(types((await stream.take(1)).map(({ data }) => data))).toEqual(['workflow_start']);
    await stream.until((text) => text.endsWith('id: 3\n\n'));
    stream.close();
  });

  it('[E5] payloads come back digit for digit, and a step of megabytes comes whole', async () => {
    const run = await things.aRunningRun(api.admin);
    const exact = '{"n":12345678901234567890123,"__proto__":1.50}';
    await api.admin.post(`/v1/runs/${run.id}/steps`, `{"node":"exact","input":${exact}}`);
    const text = 'y'.repeat(500_000);
    for (let i = 0; i < 3; i++)
      await things.aStep(api.admin, run.id, {
        node: `big ${i}`,
        input: text,
        output: text,
        status: 'succeeded',
      });
    await api.admin.post(`/v1/runs/${run.id}/succeed`, {});
    const raw: string[] = [];
    const socket = await socketTo(run.id);
    socket.socket.on('message', (message) => raw.push(String(message)));
    const told = await socket.rest();
    const stream = await streamOf(run.id);
    await stream.rest();
    expect(stream.text).toContain(`"input":${exact}`);
    expect(types(told)).toEqual([
      ...[
        'workflow_start',
        'step_start',
        ...Array(3).fill(['step_end', 'step_complete']).flat(),
        'workflow_end',
      ],
    ]);
    expect(told[2].input.length + told[3].output.length).toBe(1_000_000);
    expect(told[3].outputs).toEqual({});
  });

  it('[T14] a WebSocket is refused before it is accepted: 401 without a key, one 404 for what is not seen or not there', async () => {
    const stranger = await things.anOrganization(api.root);
    const run = await things.aRunningRun(api.admin);
    const foreign = bearer(stranger.api_key.key);
    await expect(socketTo(run.id, '', {})).rejects.toMatchObject({ status: 401, code: 'unauthenticated' });
    await expect(socketTo(run.id, '', bearer('af_org_wrong'))).rejects.toMatchObject({ status: 401 });
    for (const refused of [socketTo(run.id, '', foreign), socketTo(randomUUID()), socketTo('x')])
      await expect(refused).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(socketTo(run.id, `?api_key=${api.adminKey}`, {})).rejects.toMatchObject({ status: 401 });
    await expect(socketTo(run.id, `?api_key=${api.adminKey}`)).rejects.toMatchObject({ status: 400 });
    const byHeader = await socketTo(run.id, '', { 'x-api-key': api.adminKey });
    expect(types(await byHeader.take(1))).toEqual(['workflow_start']);
    byHeader.close();
  });

  it('[E10] refuses a place that is none of the run, and a format that is none', async () => {
    const run = await things.aRunningRun(api.admin);
    for (const after of ['-1', 'x', '99', '1&after=2', '9'.repeat(3_000)])
      await expect(socketTo(run.id, `?after=${after}`)).rejects.toMatchObject({ status: 400 });
    const path = `/v1/runs/${run.id}/events?format=`;
    for (const format of ['', 'executions', 'log&format=execution'])
      expect(await api.admin.get(path + format)).toMatchObject({ status: 400 });
    const log = await openStream(api, `${path}log`, api.adminKey);
    expect((await log.take(1))[0]?.type).toBe('run.created');
    log.close();
  });

  it('refuses what is no proper request for a WebSocket in the form of every refusal', async () => {
    const run = await things.aRunningRun(api.admin);
    const path = `/ws/execution/${run.id}`;
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    const version = 'Sec-WebSocket-Version: 13';
    const upgrade = ['Connection: Upgrade', 'Upgrade: websocket'];
    const asked = async (method: string, ...headers: string[]) => {
      const { answers } = await rawExchange(api.url, [head(method, path, api.adminKey, ...headers)]);
      const [answer] = answers;
      return [answer?.status, answer?.headers['content-type']];
    };
    const problem = 'application/problem+json; charset=utf-8';
    expect(await asked('GET')).toEqual([426, problem]);
    expect(await asked('GET', ...upgrade)).toEqual([400, problem]);
    expect(await asked('GET', ...upgrade, key, 'Sec-WebSocket-Version: 99')).toEqual([400, problem]);
    expect(await asked('GET', ...upgrade, version, 'Sec-WebSocket-Key: x')).toEqual([400, problem]);
    expect(await asked('GET', ...upgrade, key, version, 'Sec-WebSocket-Protocol: ,,')).toEqual([
      400,
      problem,
    ]);
    expect(await asked('POST', ...upgrade, key, version)).toEqual([405, problem]);
  });

  it('a wish to upgrade anything else is passed over: the request is answered as if it had not been said', async () => {
    const name = randomUUID();
    const body = JSON.stringify({ name });
    const upgrade = [
      'Connection: Upgrade, HTTP2-Settings',
      'Upgrade: h2c',
      'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA',
    ];
    const length = ['Content-Type: application/json', `Content-Length: ${body.length}`];
    const { answers } = await rawExchange(
      api.url,
      [
        head('POST', '/v1/projects', api.adminKey, ...upgrade, ...length) + body.slice(0, 5),
        body.slice(5) + head('GET', '/v1/me', api.adminKey, 'Connection: Upgrade', 'Upgrade: websocket'),
        head('GET', '/v1/me', api.adminKey),
        head(
          'GET',
          `/ws/execution/${randomUUID()}`,
          api.adminKey,
          'Connection: Upgrade',
          'Upgrade: websocket',
        ),
      ],
      { answers: 4 },
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 200, 404]);
    expect(JSON.parse(answers[0]?.text ?? '')).toMatchObject({ name });
  });

  it('[E12] is closed within moments when its key is revoked, and tells nothing more', async () => {
    const run = await things.aRunningRun(api.admin);
    const { id, key } = await things.aKey(api.admin, { scope: 'organization', role: 'viewer' });
    const socket = await socketTo(run.id, '', bearer(key));
    await socket.take(1);
    await api.admin.delete(`/v1/api-keys/${id}`);
    expect(await socket.closed).toEqual([1008, 'the key is not good any more']);
    await things.aStep(api.admin, run.id);
    expect(await socket.rest()).toEqual([]);
  });

  it('is closed when the run is deleted', async () => {
    const run = await things.aRunningRun(api.admin);
    const socket = await socketTo(run.id);
    await socket.take(1);
    await api.admin.delete(`/v1/runs/${run.id}?force=true`);
    expect([await socket.rest(), (await socket.closed)[0]]).toEqual([[], 1000]);
  });

  it('WebSockets and event streams count together as streams of a key', async () => {
    const bounded = await anApi({ AGENTFLOW_STREAMS_PER_KEY: '2' }, api.database);
    const run = await things.aRunningRun(api.admin);
    const path = `/ws/execution/${run.id}`;
    const stream = await openStream(bounded, `/v1/runs/${run.id}/events`, api.adminKey);
    const socket = await openWebSocket(bounded, path, bearer());
    await expect(openWebSocket(bounded, path, bearer())).rejects.toMatchObject({
      status: 429,
      code: 'too_many_streams',
    });
    expect((await openStream(bounded, `/v1/runs/${run.id}/events`, api.adminKey)).status).toBe(429);
    socket.close();
    await socket.closed;
    stream.close();
    await bounded.close();
  });

  it('an opened WebSocket is noted once it is over, as 101', async () => {
    const { id } = await aToldRun();
    await (
      await socketTo(id)
    ).closed;
    const lines = api.log.filter((line) => line.includes('/ws/execution/:run_id'));
    expect(lines.some((line) => line.includes('"status":101'))).toBe(true);
  });
});
