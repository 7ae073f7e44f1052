import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aRunningRun, aStep, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('steps', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  let steps: string;
  let run: { id: string };
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  beforeEach(async () => {
    run = await aRunningRun(api.admin, { agent_id });
    steps = `/v1/runs/${run.id}/steps`;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  it('A step is running by default, dated by the server, and says all that was said of it', async () => {
    const plain = await aStep(api.admin, run.id);
    expect(plain).toMatchObject({
      status: 'running',
      index: 0,
      ended_at: null,
      retry_count: 0,
      metadata: {},
    });
    expect(plain.started_at).toBe(plain.created_at);
    const said = {
      id: randomUUID(),
      node: 'plan',
      kind: 'llm',
      status: 'succeeded',
      parent_step_id: plain.id,
      input: { q: [1, null, 'x'] },
      output: 'text',
      error: 'a warning',
      error_type: 'Warning',
      latency_ms: 7,
      tokens_in: 2 ** 53 - 1,
      tokens_out: 0,
      token_details: { cached: 3 },
      cost_usd: '0.0000000001',
      model: 'm-1',
      provider: 'p-1',
      agent_role: 'planner',
      tier: 'fast',
      metadata: { a: { b: 1 } },
      started_at: '2026-02-03T04:05:06.123456Z',
      ended_at: '2026-02-03T04:05:07.000000Z',
      external_id: 'span-1',
    };
    const made = await api.admin.post(steps, said);
    expect(made.body).toEqual({
      ...said,
      run_id: run.id,
      index: 1,
      cost_source: 'reported',
      retry_count: 0,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    expect((await api.admin.get(`${steps}/${said.id}`)).text).toBe(made.text);
  });

  it('An update changes what it says and leaves the rest', async () => {
    const step = await aStep(api.admin, run.id, { input: 1, metadata: { a: 1 }, model: 'm', tokens_in: 1 });
    const said = { output: { o: 1 }, tokens_in: 5, tokens_out: 6, token_details: { x: 1 }, cost_usd: '1.5' };
    const more = { provider: 'p', metadata: { b: 2 }, latency_ms: 9, error: 'hm', error_type: 'Hm' };
    const changed = await api.admin.patch(`${steps}/${step.id}`, { ...said, ...more });
    const { updated_at } = changed.body;
    expect(changed.body).toEqual({
      ...{ ...step, ...said, ...more, updated_at },
      cost_source: 'reported',
    });
    const nothing = await api.admin.patch(`${steps}/${step.id}`, {});
    expect(nothing.text).toBe(changed.text);
    expect((await truth.told(run.id)).filter((type) => type === 'step.updated')).toHaveLength(1);
  });

  it('A creation that is repeated after the step went on is still the stored step', async () => {
    const report = { id: randomUUID(), node: 'plan', input: { q: 1 }, output: 'half' };
    await aStep(api.admin, run.id, report);
    const done = await api.admin.patch(`${steps}/${report.id}`, { status: 'succeeded', output: 'whole' });
    const again = await api.admin.post(steps, report);
    expect([again.status, again.text]).toEqual([200, done.text]);
    expect((await api.admin.post(steps, { ...report, input: { q: 2 } })).status).toBe(409);
  });

  it('A step is not its own parent', async () => {
    const id = randomUUID();
    const refused = await api.admin.post(steps, { node: 'plan', id, parent_step_id: id });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/parent_step_id']);
    const { id: parent } = await aStep(api.admin, run.id);
    const moved = await api.admin.patch(`${steps}/${parent}`, { parent_step_id: parent });
    expect([moved.status, moved.body.errors[0].pointer]).toEqual([400, '/parent_step_id']);
  });

  it('[I9] Steps are in the order in which they came, whatever the clocks of reporters say, and backwards', async () => {
    const years = [2031, 1999, 2020, 1970, 2999];
    for (const year of years) await aStep(api.admin, run.id, { started_at: `${year}-01-01T00:00:00Z` });
    const there = await everyRow(api.admin, steps, 2);
    expect(there.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(there.map(({ started_at }) => Number(started_at.slice(0, 4)))).toEqual(years);
    expect(await everyRow(api.admin, `${steps}?order=desc`, 2)).toEqual(there.reverse());
  });

  it('A step of another run is not there', async () => {
    const elsewhere = await aStep(api.admin, (await aRunningRun(api.admin, { agent_id })).id);
    for (const id of [elsewhere.id, randomUUID(), 'no-id']) {
      expect((await api.admin.get(`${steps}/${id}`)).status).toBe(404);
      expect((await api.admin.patch(`${steps}/${id}`, { status: 'succeeded' })).status).toBe(404);
    }
  });
});
