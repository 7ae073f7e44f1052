import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Client } from '../support/client.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce } from '../support/race.js';
import {
  aCheckpoint,
  aFinishedRun,
  aKey,
  aMessage,
  aRun,
  aRunningRun,
  aStep,
  aToolCall,
  anAgent,
  anOrganization,
} from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { leaseWatches, roundsOf } from '../support/workers.js';

describe('runs that are made of others', () => {
  let apis: ApiPair;
  let admin: Client;
  let truth: Truth;
  beforeAll(async () => {
    apis = await aPairOfApis();
    admin = apis.first.admin;
    truth = theTruth(apis.first.database);
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const claim = (body: object, client = admin) =>
    client.post('/v1/runs/claim', { lease_seconds: 600, ...body });

  /** All that there is of a run, down to the last row below it. */
  const stored = async (id: string): Promise<unknown> => {
    const below = ['steps', 'messages', 'tool_calls', 'checkpoints', 'approvals', 'run_events'];
    const rows = (table: string): Promise<unknown> =>
      truth.query(`SELECT to_jsonb(t)::text AS row FROM ${table} t WHERE run_id = $1 ORDER BY row`, [id]);
    return [await truth.run(id), ...(await Promise.all(below.map(rows)))];
  };

  /** A run with a call before its first checkpoint, and another before its second. */
  async function aSource(agent_id: string, more: object = {}) {
    const said = {
      input: { q: 12345678901234567890n.toString() },
      metadata: { m: 1 },
      tags: ['t'],
      name: 'one',
    };
    const run = await aRunningRun(admin, { agent_id, ...said, session_id: 's', ...more });
    await aStep(admin, run.id);
    await aMessage(admin, run.id);
    for (const at of [0, 1]) {
      await aToolCall(admin, run.id, { name: `tool ${at}`, arguments: { at }, result: { found: at } });
      await aToolCall(admin, run.id, { name: 'broken', arguments: { at }, error: 'no' });
      await aCheckpoint(admin, run.id, { label: `c${at}`, state: { at, big: [1.0, null] } });
    }
    await aToolCall(admin, run.id, { name: 'open' });
    return { id: run.id as string, said };
  }

  it('A retry is a new pending run with what the source was asked, and leaves the source as it was', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id, said } = await aSource(agent_id);
    await admin.post(`/v1/runs/${id}/fail`, { error: 'no' });
    const before = await stored(id);
    const made = await admin.post(`/v1/runs/${id}/retry`, { reason: 'a flaky tool' });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        ...said,
        ...{ agent_id, agent_version: 1, status: 'pending', origin: 'retry', parent_run_id: id },
        ...{ from_checkpoint_id: null, session_id: 's', external_id: null, started_at: null, error: null },
        totals: expect.objectContaining({ steps: 0, tool_calls: 0 }),
      }),
    ]);
    expect(await stored(id)).toEqual(before);
    const [event] = await truth.events(made.body.id);
    expect([event?.type, event?.data]).toEqual([
      'run.created',
      { origin: 'retry', parent_run_id: id, reason: 'a flaky tool' },
    ]);
    expect((await admin.get(`/v1/runs/${made.body.id}`)).body).toEqual(made.body);
  });

  it('Input and version may be others; an explicit null is an input', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aFinishedRun(admin, { agent_id, input: 1 });
    await admin.patch(`/v1/agents/${agent_id}`, { adapter: 'newer' });
    const retry = async (body: object | string) => (await admin.post(`/v1/runs/${id}/retry`, body)).body;
    expect(await retry({})).toMatchObject({ input: 1, agent_version: 1, adapter: 'custom' });
    expect(await retry({ input: { a: 2 }, agent_version: 2 })).toMatchObject({
      ...{ input: { a: 2 }, agent_version: 2, adapter: 'newer' },
    });
    expect(await retry({ input: null })).toMatchObject({ input: null });
    expect(await retry('{"input": 12345678901234567890}')).toMatchObject({
      input: Number('12345678901234567890'),
    });
    expect(await retry({ agent_version: 3 })).toMatchObject({ code: 'not_found' });
  });

  it('Who picks up a fork gets its checkpoint with the state, and no more of the source unless it was asked for', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aSource(agent_id);
    const before = await stored(id);
    const made = await admin.post(`/v1/runs/${id}/checkpoints/1/fork`, { input: 'another way' });
    const { id: checkpointId } = (await admin.get(`/v1/runs/${id}/checkpoints/1`)).body;
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        ...{ status: 'pending', origin: 'fork', parent_run_id: id, from_checkpoint_id: checkpointId },
        input: 'another way',
      }),
    ]);
    const claimed = await claim({ agent_id });
    expect([claimed.status, claimed.body]).toEqual([
      200,
      expect.objectContaining({
        ...{ id: made.body.id, status: 'running', input: 'another way', recorded_tool_calls: null },
        lease_token: expect.any(String),
        checkpoint: expect.objectContaining({ id: checkpointId, index: 1, state: { at: 1, big: [1, null] } }),
      }),
    ]);
    expect(claimed.text).toContain('"big":[1,null]');
    expect(await stored(id)).toEqual(before);
    const step = { node: 'on' };
    const headers = { 'agentflow-lease': claimed.body.lease_token };
    expect((await admin.post(`/v1/runs/${made.body.id}/steps`, step, headers)).status).toBe(201);
  });

  it('With reuse, the results of calls that succeeded up to the checkpoint come along, in their order', async () => {
    const { id: agent_id, name } = await anAgent(admin);
    const { id } = await aSource(agent_id);
    const reuse = 'recorded_tool_results';
    const recordedBy = async (path: string): Promise<object> => {
      await admin.post(`/v1/runs/${id}/${path}`, { reuse });
      return (await claim({ agent: name })).body.recorded_tool_calls;
    };
    const call = (at: number) => ({
      ...{ call_id: expect.any(String), name: `tool ${at}`, arguments: { at }, result: { found: at } },
    });
    expect(await recordedBy('checkpoints/0/fork')).toEqual({ data: [call(0)], is_complete: true });
    expect(await recordedBy('checkpoints/1/fork')).toEqual({ data: [call(0), call(1)], is_complete: true });
    expect(await recordedBy('retry')).toEqual({ data: [call(0), call(1)], is_complete: true });
  });

  it('Of a checkpoint that came in a batch, the recorded results are those of the calls before it, whichever batch brought them and in whatever order', async () => {
    const { id: agent_id, name } = await anAgent(admin);
    const run_id = randomUUID();
    const at = (second: number): string => `2026-02-03T08:00:0${second}.000000Z`;
    const call = (tool: string, from: number, to: number, id = randomUUID()) => [
      { type: 'tool_call.started', run_id, id, name: tool, at: at(from) },
      { type: 'tool_call.completed', run_id, id, result: tool, at: at(to) },
    ];
    const begun = { type: 'run.started', run_id, agent: { name, adapter: 'custom' }, at: at(0) };
    const checkpoint = { type: 'checkpoint', id: randomUUID(), run_id, state: { a: 1 }, at: at(4) };
    // The order of the ids is not that of the calls.
    const ids = [randomUUID(), randomUUID()].sort().reverse();
    const batches = [
      [
        begun,
        ...call('behind', 5, 6),
        checkpoint,
        ...call('second', 2, 3, ids[1]),
        ...call('first', 1, 2, ids[0]),
      ],
      [...call('late', 3, 4), ...call('just then', 4, 4), ...call('next', 4, 5), ...call('open', 3, 7)],
    ];
    for (const batch of batches) {
      const { body } = await admin.post('/v1/ingest', batch);
      expect(body.counts).toEqual({
        created: expect.any(Number),
        updated: expect.any(Number),
        duplicate: 0,
        rejected: 0,
      });
    }
    await admin.post(`/v1/runs/${run_id}/checkpoints/0/fork`, { reuse: 'recorded_tool_results' });
    const { recorded_tool_calls } = (await claim({ agent_id })).body;
    const names = recorded_tool_calls.data.map((recorded: { name: string }) => recorded.name);
    expect(names.slice(0, 2)).toEqual(['first', 'second']);
    expect(names.slice(2).sort()).toEqual(['just then', 'late', 'open']);
  });

  it('More recorded results than an answer holds are cut off at a whole call, and it says so', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aRunningRun(admin, { agent_id });
    const result = 'x'.repeat(900_000);
    for (let i = 0; i < 11; i++) await aToolCall(admin, id, { name: 'large', result });
    await admin.post(`/v1/runs/${id}/retry`, { reuse: 'recorded_tool_results' });
    const { recorded_tool_calls: recorded } = (await claim({ agent_id })).body;
    expect([recorded.data.length, recorded.is_complete]).toEqual([9, false]);
    expect(recorded.data.every((one: { result: string }) => one.result === result)).toBe(true);
  });

  it('Pending runs are picked up oldest first, whatever they come from; with none left the answer is 204', async () => {
    const { id: agent_id } = await anAgent(admin);
    expect((await claim({ agent_id })).status).toBe(204);
    const { id: source } = await aFinishedRun(admin, { agent_id });
    const first = (await aRun(admin, { agent_id })).id;
    const second = (await admin.post(`/v1/runs/${source}/retry`)).body.id;
    // Whoever created it with a lease is its holder already.
    await aRun(admin, { agent_id, lease_seconds: 60 });
    expect([(await claim({ agent_id })).body.id, (await claim({ agent_id })).body.id]).toEqual([
      first,
      second,
    ]);
    const none = await claim({ agent_id });
    expect([none.status, none.text]).toEqual([204, '']);
  });

  it('Forty who claim at once, over two instances, each get a run of their own, and the rest get none', async () => {
    const { id: agent_id } = await anAgent(admin);
    const offered = await atOnce(25, async () => (await aRun(admin, { agent_id })).id as string);
    const answers = await atOnce(40, (i) => claim({ agent_id }, apis.admins[i % 2]));
    const got = answers.filter(({ status }) => status === 200).map(({ body }) => body.id as string);
    // Somebody who meets only runs that others are just taking gets none; they are there for the next.
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200 && status !== 204)).toEqual([]);
    for (let more = await claim({ agent_id }); more.status === 200; more = await claim({ agent_id }))
      got.push(more.body.id);
    expect(got.sort()).toEqual(offered.sort());
    for (const id of offered) expect(await truth.told(id)).toEqual(['run.created', 'run.started']);
    const tokens = await truth.query('SELECT DISTINCT lease_token FROM runs WHERE id = ANY ($1)', [offered]);
    expect(tokens).toHaveLength(offered.length);
  }, 60_000);

  it('[S3] In 60 races of a claim and a cancellation the run is either called off and given to nobody, or given and told so', async () => {
    const { id: agent_id } = await anAgent(admin);
    for (let i = 0; i < 60; i++) {
      const { id } = await aRun(admin, { agent_id });
      const [claimed, cancelled] = await Promise.all([
        claim({ agent_id }, apis.admins[i % 2]),
        apis.admins[(i + 1) % 2]?.post(`/v1/runs/${id}/cancel`),
      ]);
      // A running run can be cancelled, too: then its holder learns of it by what he writes next.
      expect(cancelled?.status).toBe(200);
      const isGiven = claimed.status === 200;
      if (isGiven) expect(claimed.body.id).toBe(id);
      expect((await claim({ agent_id })).status).toBe(204);
      expect(await truth.told(id)).toEqual(
        isGiven ? ['run.created', 'run.started', 'run.cancelled'] : ['run.created', 'run.cancelled'],
      );
    }
  }, 60_000);

  it('A pending run that was called off is given to nobody', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id: source } = await aFinishedRun(admin, { agent_id });
    const { id } = (await admin.post(`/v1/runs/${source}/retry`)).body;
    await admin.post(`/v1/runs/${id}/cancel`);
    expect((await claim({ agent_id })).status).toBe(204);
    expect(await truth.told(id)).toEqual(['run.created', 'run.cancelled']);
  });

  it('A run that was picked up by somebody who dies fails when its lease has expired, and is not given again', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aRun(admin, { agent_id });
    const { lease_token } = (await claim({ agent_id, lease_seconds: 60 })).body;
    await truth.query(`UPDATE runs SET lease_expires_at = now() - interval '1 ms' WHERE id = $1`, [id]);
    expect(await roundsOf(apis.first.database, leaseWatches())).toEqual([{ runs: 1 }]);
    expect((await admin.get(`/v1/runs/${id}`)).body).toMatchObject({
      ...{ status: 'failed', error_type: 'lease_expired' },
    });
    const late = await admin.post(`/v1/runs/${id}/heartbeat`, { lease_token });
    expect([late.status, late.body.code]).toEqual([409, 'run.lease_lost']);
    expect((await claim({ agent_id })).status).toBe(204);
  });

  it('What was deleted is neither retried nor forked, and what was made of it before stays', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aSource(agent_id);
    const reuse = 'recorded_tool_results';
    const fork = (await admin.post(`/v1/runs/${id}/checkpoints/0/fork`, { reuse })).body;
    await admin.delete(`/v1/runs/${id}?force=true`);
    for (const path of ['retry', 'checkpoints/0/fork']) {
      const { status, body } = await admin.post(`/v1/runs/${id}/${path}`);
      expect([status, body.code]).toEqual([410, 'run.deleted']);
    }
    const { status, body } = await claim({ agent_id });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        ...{ id: fork.id, origin: 'fork', parent_run_id: null, from_checkpoint_id: null, input: fork.input },
        ...{ checkpoint: null, recorded_tool_calls: null },
      }),
    ]);
  });

  it('[S3] Forks and retries that meet the deletion of their source are made, or told that it was deleted, in 20 races', async () => {
    const { id: agent_id } = await anAgent(admin);
    for (let race = 0; race < 20; race++) {
      const { id } = await aRunningRun(admin, { agent_id });
      await aCheckpoint(admin, id);
      const [deleted, ...made] = await atOnce(13, (i) => {
        if (i === 0) return admin.delete(`/v1/runs/${id}?force=true`);
        return admin.post(`/v1/runs/${id}/${i % 4 === 0 ? 'retry' : 'checkpoints/0/fork'}`);
      });
      expect(deleted?.status).toBe(204);
      for (const { status, body } of made) {
        expect([201, 'run.deleted']).toContain(status === 201 ? status : body.code);
      }
    }
  });

  it('An Idempotency-Key makes one run, and claims one', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aFinishedRun(admin, { agent_id });
    const headers = { 'idempotency-key': randomUUID() };
    const retry = () => admin.post(`/v1/runs/${id}/retry`, { reason: 'x' }, headers);
    expect((await retry()).body.id).toBe((await retry()).body.id);
    await aRun(admin, { agent_id });
    const key = { 'idempotency-key': randomUUID() };
    const once = () => admin.post('/v1/runs/claim', { agent_id, lease_seconds: 60 }, key);
    expect((await once()).body.id).toBe((await once()).body.id);
    expect((await claim({ agent_id })).status).toBe(200);
    expect((await claim({ agent_id })).status).toBe(204);
  });

  it('Foreign and missing things are the same 404, and an operator may copy where a reporter may not', async () => {
    const { id: agent_id } = await anAgent(admin);
    const { id } = await aSource(agent_id);
    const foreign = apis.first.as((await anOrganization(apis.first.root)).api_key.key);
    const missing = await admin.post(`/v1/runs/${randomUUID()}/retry`);
    for (const path of ['retry', 'checkpoints/0/fork', 'checkpoints/9/fork']) {
      const asked = path.includes('9') ? admin : foreign;
      const { status, body } = await asked.post(`/v1/runs/${id}/${path}`);
      expect([status, { ...body, instance: '' }]).toEqual([404, { ...missing.body, instance: '' }]);
    }
    expect((await claim({ agent_id }, foreign)).body.code).toBe('not_found');
    expect((await claim({ agent: 'nobody is called so' })).body.code).toBe('not_found');
    expect((await foreign.get(`/v1/runs/${id}/lineage`)).body.code).toBe('not_found');
    const as = async (role: string) =>
      apis.first.as((await aKey(admin, { scope: 'agent', agent_id, role })).key as string);
    expect((await (await as('reporter')).post(`/v1/runs/${id}/retry`)).status).toBe(403);
    expect((await (await as('operator')).post(`/v1/runs/${id}/retry`)).status).toBe(201);
    expect((await claim({ agent_id }, await as('viewer'))).status).toBe(403);
    expect((await claim({ agent_id }, await as('reporter'))).status).toBe(200);
  });

  it.each([
    ['no agent', {}],
    ['two agents', { agent_id: randomUUID(), agent: 'x' }],
    ['an unknown field', { agent: 'x', wait: 5 }],
    ['no lease', { agent: 'x', lease_seconds: undefined }],
  ])('A claim with %s is refused', async (_, body) => {
    expect(await claim(body)).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });

  it('The lineage shows what a run comes from, nearest first, and what came from it, level by level', async () => {
    const { id: agent_id } = await anAgent(admin);
    const root = (await aFinishedRun(admin, { agent_id })).id as string;
    const retry = async (of: string): Promise<string> => (await admin.post(`/v1/runs/${of}/retry`)).body.id;
    const [child, sibling] = [await retry(root), await retry(root)];
    const grandchild = await retry(child);
    const idsOf = async (id: string) => {
      const { ancestors, descendants, has_more } = (await admin.get(`/v1/runs/${id}/lineage`)).body;
      const ids = (runs: { id: string }[]) => runs.map((run) => run.id);
      return [ids(ancestors), ids(descendants), has_more];
    };
    expect(await idsOf(root)).toEqual([[], [sibling, child, grandchild], false]);
    expect(await idsOf(child)).toEqual([[root], [grandchild], false]);
    expect(await idsOf(grandchild)).toEqual([[child, root], [], false]);
    const { id: elsewhere } = await anAgent(admin);
    const other = await aRun(admin, { agent_id: elsewhere, parent_run_id: child });
    const key = await aKey(admin, { scope: 'agent', agent_id: elsewhere, role: 'viewer' });
    const seen = await apis.first.as(key.key).get(`/v1/runs/${other.id}/lineage`);
    expect(seen.body).toEqual({ ancestors: [], descendants: [], has_more: false });
  });

  it('A lineage of many is bounded, and one that leads in a circle comes to an end', async () => {
    const { id: agent_id } = await anAgent(admin);
    const root = (await aFinishedRun(admin, { agent_id })).id as string;
    await atOnce(205, () => aRun(admin, { agent_id, parent_run_id: root }));
    const wide = (await admin.get(`/v1/runs/${root}/lineage`)).body;
    expect([wide.descendants.length, wide.has_more]).toEqual([200, true]);
    const [one, two] = [await aRun(admin, { agent_id }), await aRun(admin, { agent_id })];
    await truth.query('UPDATE runs SET parent_run_id = $2 WHERE id = $1', [one.id, two.id]);
    await truth.query('UPDATE runs SET parent_run_id = $2 WHERE id = $1', [two.id, one.id]);
    const round = (await admin.get(`/v1/runs/${one.id}/lineage`)).body;
    expect([round.ancestors.length, round.descendants.length]).toEqual([1, 1]);
  }, 60_000);
});
