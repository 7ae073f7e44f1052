import { AgentFlow, ApiError, ConnectionError, type AgentFlowOptions } from '@agentflow/sdk';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aFront, answered, cut, lost, passed, type Fate, type Front } from '../support/front.js';
import { anAgent } from '../support/things.js';

const PROBLEM = { 'content-type': 'application/problem+json' };

describe('retries of the TypeScript client', () => {
  let api: TestApi;
  let front: Front;
  let agent_id: string;
  const aClient = (options: AgentFlowOptions = {}): AgentFlow =>
    new AgentFlow({ apiKey: api.adminKey, baseUrl: front.url, ...options });
  beforeAll(async () => {
    api = await anApi();
    agent_id = (await anAgent(api.admin)).id;
  });
  beforeEach(async () => {
    front = await aFront(api.url);
  });
  afterEach(() => front.close());
  afterAll(() => api.close());

  it('[SDK2] [Z2] A report whose answer is lost is sent again and has happened once, whatever it reports', async () => {
    front.always(lostAtFirst());
    const run = await aClient().runs.start({
      agent: { name: 'lossy', adapter: 'custom' },
      project_id: await project(),
    });
    const step = await run.step({ node: 'a' });
    const call = await run.toolCall({ name: 'b', step_id: step.id });
    await call.succeed({ result: 1 });
    await step.succeed({ output: 2, tokens_in: 3 });
    await run.message({ role: 'user', content: 'hi' });
    await run.checkpoint({ state: {} });
    await run.wait({ question: '?' });
    await run.resume({ input: '!' });
    await run.succeed({ output: 4 });
    const include = 'include=steps,messages,tool_calls,checkpoints';
    const { body } = await api.admin.get(`/v1/runs/${run.id}?${include}`);
    expect(body).toMatchObject({ status: 'succeeded', output: 4, resume_input: '!' });
    expect(body.totals).toMatchObject({ steps: 1, tool_calls: 1, messages: 1, tokens_in: 3 });
    expect(body.checkpoints.data).toHaveLength(1);
    expect(front.seen).toHaveLength(2 * 10);
  });

  it('[SDK2] A request is repeated word for word: the same ids, the same idempotency key', async () => {
    const run = await aClient().runs.start({ agent_id });
    front.next(cut, answered(502), answered(503), lost);
    await run.wait();
    const [first, ...repeats] = front.seen.slice(1).map(({ method, url, body, headers }) => {
      return { method, url, body, key: headers['idempotency-key'] };
    });
    expect(repeats).toEqual([first, first, first, first]);
    expect(first?.key).toEqual(expect.any(String));
    front.next(answered(504), answered(500));
    await run.message({ role: 'user', content: 'hi' });
    const ids = front.seen.slice(-3).map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  });

  it('[SDK2] A pause whose answer is lost does not pause again a run that was resumed meanwhile', async () => {
    const run = await aClient().runs.start({ agent_id });
    front.next(async (seen, response) => {
      await front.pass(seen);
      await api.admin.post(`/v1/runs/${run.id}/resume`, { input: 'go on' });
      response.destroy();
    });
    await run.wait({ question: '?' });
    expect((await run.get()).status).toBe('running');
  });

  it('[SDK2] Retry-After is honoured', async () => {
    front.next(answered(429, { ...PROBLEM, 'retry-after': '1' }, '{"status":429,"code":"slow_down"}'));
    await aClient().me();
    const [first, second] = front.seen.map(({ atMs }) => atMs) as [number, number];
    expect(second - first).toBeGreaterThanOrEqual(990); // timers may be early by some milliseconds
  });

  it('[SDK2] A wait that the deadline does not allow is not begun: the refusal is told at once', async () => {
    front.always(
      answered(503, { ...PROBLEM, 'retry-after': '3600' }, '{"code":"unavailable","title":"Not now"}'),
    );
    const error: unknown = await aClient({ timeoutMs: 5_000 })
      .me()
      .catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ status: 503, code: 'unavailable', retryAfterMs: 3_600_000 });
    expect(front.seen).toHaveLength(1);
  });

  it('[SDK2] Retries are bounded', async () => {
    front.always(cut);
    await expect(aClient({ maxRetries: 2 }).me()).rejects.toThrow(ConnectionError);
    expect(front.seen).toHaveLength(3);
    await expect(aClient({ maxRetries: 0 }).me()).rejects.toThrow(ConnectionError);
    expect(front.seen).toHaveLength(4);
  });

  it.each([400, 401, 403, 404, 409, 410, 412, 413, 422, 501])(
    '[SDK2] A refusal with %i is final',
    async (status) => {
      front.always(answered(status, PROBLEM, JSON.stringify({ status, code: 'some_code', title: 'No' })));
      await expect(aClient().me()).rejects.toMatchObject({
        status,
        code: 'some_code',
        message: `${status} some_code: No`,
      });
      expect(front.seen).toHaveLength(1);
    },
  );

  it('[SDK2] A request that is still in progress is asked for again', async () => {
    const run = await aClient().runs.start({ agent_id });
    front.next(answered(409, PROBLEM, '{"code":"idempotency.in_progress"}'));
    expect((await run.succeed()).status).toBe('succeeded');
  });

  it('An aborted call ends at once with the reason of its signal, also while it waits to be sent again', async () => {
    const aborting = new AbortController();
    const reason = new Error('the user left');
    front.always((seen, response) => {
      response.on('finish', () => aborting.abort(reason));
      return answered(503, { 'retry-after': '20' })(seen, response, front);
    });
    const call = aClient().me({ signal: aborting.signal });
    await expect(call).rejects.toBe(reason);
    await expect(aClient().me({ signal: aborting.signal })).rejects.toBe(reason);
  });

  async function project(): Promise<string> {
    return (await api.admin.get('/v1/projects')).body.data[0].id;
  }
});

/** Every request is carried out at first and its answer lost; when it comes again it is answered. */
function lostAtFirst(): Fate {
  const known = new Set<string>();
  return (seen, response, front) => {
    const request = `${seen.method} ${seen.url} ${seen.body}`;
    const isKnown = known.has(request);
    known.add(request);
    return isKnown ? passed(seen, response, front) : lost(seen, response, front);
  };
}
