import { AgentFlow, ApiError, type RunSummary } from '@agentflow/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { inspect } from 'node:util';
import { anApi, type TestApi } from '../support/api.js';
import { anSdk } from '../support/sdk.js';
import { aKey, aProject, anAgent } from '../support/things.js';

describe('the TypeScript client', () => {
  let api: TestApi;
  let client: AgentFlow;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    client = anSdk(api);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());

  it('A run is started by the name of its agent, which is registered on first sight', async () => {
    const project = await aProject(api.admin);
    const { key } = await aKey(api.admin, { scope: 'project', project_id: project.id, role: 'reporter' });
    const reporter = anSdk(api, { apiKey: key });
    const agent = { name: 'planner', adapter: 'langgraph', config: { model: 'small' } };
    const run = await reporter.runs.start({ agent, input: { question: 'where to?' } });
    await run.succeed({ output: 'Lisbon' });
    const stored = await reporter.runs.get(run.id);
    expect(stored).toMatchObject({
      project_id: project.id,
      adapter: 'langgraph',
      status: 'succeeded',
      agent_version: 1,
    });
    expect([stored.input, stored.output]).toEqual([{ question: 'where to?' }, 'Lisbon']);
  });

  it('Steps, tool calls, messages and checkpoints are reported through handles and read back', async () => {
    const run = await client.runs.start({ agent_id });
    const parent = await run.step({ node: 'agent', kind: 'agent' });
    const step = await run.step({ node: 'model', kind: 'llm', parent_step_id: parent.id, input: ['hi'] });
    const call = await run.toolCall({ name: 'search', step_id: step.id, arguments: { q: 1 } });
    await call.complete({ result: { hits: 3 } });
    await step.update({ model: 'small-1', metadata: { try: 1 } });
    await step.succeed({ output: 'done', tokens_in: 12, tokens_out: 5, cost_usd: '0.0001' });
    await parent.complete({ status: 'skipped' });
    const message = await run.message({ role: 'assistant', content: 'Hello', step_id: step.id });
    await run.checkpoint({ label: 'here', state: { at: 2 } });
    const { steps, tool_calls, messages, checkpoints, totals } = await run.get({
      include: ['steps', 'tool_calls', 'messages', 'checkpoints'],
    });
    expect(steps?.data).toMatchObject([
      { id: parent.id, status: 'skipped', index: 0 },
      { id: step.id, status: 'succeeded', parent_step_id: parent.id, model: 'small-1', metadata: { try: 1 } },
    ]);
    expect(tool_calls?.data).toMatchObject([{ id: call.id, status: 'succeeded', result: { hits: 3 } }]);
    expect(messages?.data).toEqual([message]);
    expect(checkpoints?.data).toMatchObject([{ label: 'here', index: 0 }]);
    expect((await client.runs.checkpoints.latest(run.id)).state).toEqual({ at: 2 });
    expect(totals).toMatchObject({
      tokens_in: 12,
      tokens_out: 5,
      cost_usd: '0.0001',
      tool_calls: 1,
      messages: 1,
    });
  });

  it('A step and a call last as long as the client saw, whatever the network adds', async () => {
    const run = await client.runs.start({ agent_id });
    const before = Date.now();
    const step = await run.step({ node: 'a' });
    const call = await run.toolCall({ name: 'b' });
    const stored = [await step.succeed(), await call.succeed({ result: 1 })];
    const after = Date.now();
    for (const { started_at, ended_at, latency_ms } of stored) {
      const [start, end] = [Date.parse(started_at as string), Date.parse(ended_at as string)];
      expect(start).toBeGreaterThanOrEqual(before);
      expect(end).toBeLessThanOrEqual(after);
      expect(latency_ms).toBe(end - start);
    }
  });

  it('What was thrown fails a run, a step and a call by its name and message', async () => {
    const run = await client.runs.start({ agent_id });
    const error = new RangeError('too far');
    const failure = { status: 'failed', error: 'too far', error_type: 'RangeError' };
    const step = await run.step({ node: 'a' });
    expect(await (await run.toolCall({ name: 'b' })).fail(error)).toMatchObject(failure);
    expect(await step.fail(error)).toMatchObject(failure);
    expect(await run.fail(error)).toMatchObject(failure);
    const other = await client.runs.start({ agent_id });
    expect(await other.fail({ error: 'no', error_type: 'Sad' })).toMatchObject({
      error: 'no',
      error_type: 'Sad',
    });
  });

  it('Completing again with the same content is no conflict', async () => {
    const run = await client.runs.start({ agent_id });
    const step = await run.step({ node: 'a' });
    const call = await run.toolCall({ name: 'b' });
    expect(await step.succeed({ output: 1 })).toEqual(await step.succeed({ output: 1 }));
    expect(await call.succeed({ result: 1 })).toEqual(await call.succeed({ result: 1 }));
    expect(await run.succeed({ output: 1 })).toEqual(await run.succeed({ output: 1 }));
  });

  it('A run waits for a person, is resumed from elsewhere, and its holder hears that it was cancelled', async () => {
    const run = await client.runs.start({ agent_id, lease_seconds: 60 });
    expect((await run.wait({ question: 'May I?' })).status).toBe('waiting_human');
    const elsewhere = client.runs.attach(run.id);
    expect((await elsewhere.resume({ input: 'yes' })).resume_input).toBe('yes');
    expect(await run.heartbeat()).toMatchObject({ status: 'running', cancel_requested: false });
    await elsewhere.cancel({ reason: 'enough' });
    expect(await run.heartbeat()).toMatchObject({ status: 'cancelled', cancel_requested: true });
    await expect(elsewhere.heartbeat()).rejects.toThrow('no lease');
  });

  it('A run that is created first and started later takes its lease then', async () => {
    const run = await client.runs.start({ agent_id, start: false });
    expect((await run.get()).status).toBe('pending');
    await run.start({ lease_seconds: 60 });
    expect((await run.heartbeat()).status).toBe('running');
  });

  it('A list goes on over pages until its end, and a page can be had by itself', async () => {
    const session_id = randomUUID();
    const started: string[] = [];
    for (let i = 0; i < 5; i++) started.push((await client.runs.start({ agent_id, session_id })).id);
    await client.runs.attach(started[0] as string).fail('no');
    await client.runs.attach(started[1] as string).cancel();
    const all: RunSummary[] = [];
    for await (const run of client.runs.list({ session_id, limit: 2 })) all.push(run);
    expect(all.map(({ id }) => id)).toEqual([...started].reverse());
    const page = await client.runs.list({ session_id, status: ['failed', 'cancelled'], limit: 1 }).page();
    expect(page.data).toMatchObject([{ id: started[1], status: 'cancelled' }]);
    expect(page.next_cursor).toEqual(expect.any(String));
  });

  it('A client says whose key it has', async () => {
    const { organization, key } = await client.me();
    expect([organization.slug, key.role, key.scope]).toEqual(['default', 'admin', 'organization']);
  });

  it('[SDK6] A hundred runs at once keep their steps and calls apart', async () => {
    const runs = await Promise.all(
      Array.from({ length: 100 }, async (_, at) => {
        const run = await client.runs.start({ agent_id, input: at });
        const step = await run.step({ node: `node ${at}` });
        const call = await run.toolCall({ name: `tool ${at}`, step_id: step.id });
        await call.succeed({ result: at });
        return { at, id: run.id };
      }),
    );
    for (const { at, id } of runs) {
      const { input, steps, tool_calls } = await client.runs.get(id, { include: ['steps', 'tool_calls'] });
      expect(input).toBe(at);
      expect(steps?.data.map(({ node }) => node)).toEqual([`node ${at}`]);
      expect(tool_calls?.data.map(({ name, result }) => [name, result])).toEqual([[`tool ${at}`, at]]);
    }
  });

  it('A refusal carries the code, the faults and the id of the request', async () => {
    const refused = client.runs.start({ agent_id, name: 'n'.repeat(300), tags: [''] });
    const error = (await refused.catch((reason: unknown) => reason)) as ApiError;
    expect(error).toBeInstanceOf(ApiError);
    expect([error.status, error.code, error.title]).toEqual([
      400,
      'invalid_request',
      'The request does not have the documented form',
    ]);
    expect(error.errors.map(({ pointer }) => pointer).sort()).toEqual(['/name', '/tags']);
    expect(api.log.some((line) => line.includes(error.requestId as string))).toBe(true);
    const run = await client.runs.start({ agent_id });
    await run.succeed();
    await expect(run.fail('late')).rejects.toMatchObject({
      code: 'run.transition_refused',
      problem: { current_state: 'succeeded', allowed: [] },
    });
  });

  it('[SDK5] The key is in nothing that a client prints, and a key that is no header is refused unshown', async () => {
    const [secret] = [api.adminKey];
    const run = await client.runs.start({ agent_id });
    const error: unknown = await client.runs.get(randomUUID()).catch((reason: unknown) => reason);
    for (const thing of [client, client.runs, run, error, client.runs.list()]) {
      expect(inspect(thing, { depth: 10, showHidden: true })).not.toContain(secret);
      expect(JSON.stringify(thing)).not.toContain(secret);
    }
    const faulty = `${secret}\n`;
    expect(() => new AgentFlow({ apiKey: faulty })).toThrow('The API key has characters that no key has');
  });
});
