import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { connected } from '../support/database.js';
import { aRunStart } from '../support/items.js';
import { everyRow } from '../support/pages.js';
import { atOnce } from '../support/race.js';
import * as things from '../support/things.js';
import { approvalWatches, housekeepers, leaseWatches, roundsOf } from '../support/workers.js';

type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

const NOBODY = { key_id: null, public_id: null, name: null, role: null };
const SYSTEM = { kind: 'system', ...NOBODY };

let api: TestApi;
let admin: Client;
beforeAll(async () => {
  api = await anApi();
  admin = api.admin;
});
afterAll(() => api.close());

/** What is told about a thing, the oldest first. */
async function actsOn(entity: string, client = admin): Promise<Thing[]> {
  return (await everyRow(client, `/v1/audit-log?entity_id=${entity}`, 200)).reverse();
}
const actionsOn = async (entity: string): Promise<string[]> =>
  (await actsOn(entity)).map(({ action }) => action as string);

describe('an entry of the audit log', () => {
  it('[X11] tells who did what to what, when, where and upon which request', async () => {
    const key = await things.aKey(admin, { scope: 'organization', name: 'the deputy' });
    const agent = await things.anAgent(admin, { name: 'told of', description: 'one' });
    const answer = await api
      .as(key.key)
      .patch(`/v1/agents/${agent.id}`, { adapter: 'langgraph', name: 'told' });
    const changed = (await actsOn(agent.id)).at(-1);
    expect(changed).toEqual({
      id: expect.any(String),
      at: answer.body.updated_at,
      actor: { kind: 'key', key_id: key.id, public_id: key.public_id, name: 'the deputy', role: 'admin' },
      action: 'agent.changed',
      entity_type: 'agent',
      entity_id: agent.id,
      project_id: agent.project_id,
      agent_id: agent.id,
      before: { name: 'told of', adapter: 'custom', version: 1 },
      after: { name: 'told', adapter: 'langgraph', version: 2 },
      request_id: answer.headers.get('x-request-id'),
    });
  });

  it('[X11] tells of projects: created, changed, deleted with what was in them', async () => {
    const project = await things.aProject(admin, { name: 'alpha' });
    const agent = await things.anAgent(admin, { project_id: project.id });
    await admin.patch(`/v1/projects/${project.id}`, { name: 'beta', description: null });
    await admin.delete(`/v1/projects/${project.id}?cascade=true`);
    expect(await actsOn(project.id)).toMatchObject([
      { action: 'project.created', before: null, after: { name: 'alpha', description: null } },
      { action: 'project.changed', before: { name: 'alpha' }, after: { name: 'beta' } },
      { action: 'project.deleted', before: { name: 'beta', description: null }, after: null },
    ]);
    expect(await actionsOn(agent.id)).toEqual(['agent.created', 'agent.deleted']);
  });

  it('[X11] [K8] tells of keys: minted, rotated, revoked, and revoked with the key that minted them', async () => {
    const key = await things.aKey(admin, { scope: 'organization', name: 'parent' });
    const child = await things.aKey(api.as(key.key), { scope: 'organization', role: 'viewer' });
    const rotated = await admin.post(`/v1/api-keys/${key.id}/rotate`, { grace_seconds: 60 });
    await admin.delete(`/v1/api-keys/${key.id}`);
    const { name, public_id } = key;
    expect(await actsOn(key.id)).toMatchObject([
      { action: 'api_key.created', after: { name, public_id, role: 'admin', scope: 'organization' } },
      { action: 'api_key.rotated', after: { grace_seconds: 60, successor_id: rotated.body.id } },
      { action: 'api_key.revoked', after: { name, public_id } },
    ]);
    expect(await actsOn(child.id)).toMatchObject([
      { action: 'api_key.created', actor: { key_id: key.id } },
      { action: 'api_key.revoked', after: { revoked_with: key.id } },
    ]);
    expect(await actsOn(rotated.body.id)).toMatchObject([
      { action: 'api_key.created', after: { rotated_from: key.id } },
    ]);
  });

  it('[X11] tells what people decide about runs: resumed, cancelled, decided, deleted', async () => {
    const waiting = await things.aWaitingRun(admin);
    await admin.post(`/v1/runs/${waiting.id}/resume`, { input: 'yes' });
    await admin.post(`/v1/runs/${waiting.id}/cancel`, { reason: 'enough' });
    const retry = await admin.post(`/v1/runs/${waiting.id}/retry`, { reason: 'once more' });
    await admin.delete(`/v1/runs/${waiting.id}`);
    const where = { project_id: waiting.project_id, agent_id: waiting.agent_id };
    expect(await actsOn(waiting.id)).toMatchObject([
      { ...where, action: 'run.resumed', before: { status: 'waiting_human' }, after: { status: 'running' } },
      { ...where, action: 'run.cancelled', before: { status: 'running' }, after: { status: 'cancelled' } },
      { ...where, action: 'run.retried', before: null, after: { run_id: retry.body.id } },
      { ...where, action: 'run.deleted', before: { status: 'cancelled' }, after: null },
    ]);
    const approval = await things.anApproval(admin);
    await admin.post(`/v1/approvals/${approval.id}/decide`, { decision: 'reject', reason: 'no' });
    expect(await actsOn(approval.id)).toMatchObject([
      {
        ...{ action: 'approval.decided', before: { status: 'pending' } },
        after: { status: 'rejected', run_id: approval.run_id },
      },
    ]);
    // The run goes on by the decision, and nobody did that beside it.
    expect(await actsOn(approval.run_id)).toEqual([]);
  });

  it('[X11] a run with open steps and calls that is cancelled is told of as any other', async () => {
    const run = await things.aRunningRun(admin);
    await things.aStep(admin, run.id, { status: 'running' });
    await things.aToolCall(admin, run.id);
    await admin.post(`/v1/runs/${run.id}/cancel`);
    expect(await actionsOn(run.id)).toEqual(['run.cancelled']);
  });

  it('[X11] tells of the operator who founds, and of the product that founds the first', async () => {
    const founded = await things.anOrganization(api.root, { name: 'second' });
    const client = api.as(founded.api_key.key as string);
    expect(await actsOn(founded.id, client)).toMatchObject([
      { action: 'organization.created', actor: { kind: 'root', ...NOBODY }, after: { name: 'second' } },
    ]);
    const [first] = await everyRow(admin, '/v1/audit-log?action=organization.created', 200);
    expect(first).toMatchObject({ actor: SYSTEM, request_id: null });
  });

  it('[X11] tells of agents and versions that come to be by a report', async () => {
    const { id: project_id } = await things.aProject(admin);
    const reporter = await things.aKey(admin, { scope: 'project', project_id, role: 'reporter' });
    const name = `by report ${randomUUID()}`;
    const client = api.as(reporter.key);
    const run = await client.post('/v1/runs', { agent: { name, adapter: 'custom' } });
    await client.post('/v1/runs', { agent: { name, adapter: 'custom' } });
    await client.post('/v1/runs', { agent: { name, adapter: 'langgraph' } });
    const by = { kind: 'key', key_id: reporter.id, role: 'reporter' };
    expect(await actsOn(run.body.agent_id)).toMatchObject([
      { action: 'agent.created', actor: by, after: { name, adapter: 'custom', version: 1 } },
      { action: 'agent.changed', actor: by, after: { adapter: 'langgraph', version: 2 } },
    ]);
    const run_id = randomUUID();
    const other = `by batch ${randomUUID()}`;
    await client.post('/v1/ingest', [aRunStart(run_id, { agent: { name: other, adapter: 'custom' } })]);
    const { agent_id } = (await client.get(`/v1/runs/${run_id}`)).body;
    expect(await actsOn(agent_id)).toMatchObject([
      { action: 'agent.created', actor: by, after: { name: other } },
    ]);
  });

  it('[X11] tells of what the product does by itself: leases that expire, approvals and traces whose time is over', async () => {
    const leased = await things.aRunningRun(admin, { lease_seconds: 60 });
    const due = { due_at: '2020-01-01T00:00:00Z' };
    const late = await things.anApproval(admin, { ...due, on_due: 'cancel' });
    const rejected = await things.anApproval(admin, { ...due, on_due: 'reject' });
    const silent = await things.aRunningRun(admin);
    await connected(api.database.adminUrl, async (client) => {
      await client.query(`UPDATE runs SET lease_expires_at = now() - interval '1 s' WHERE id = $1`, [
        leased.id,
      ]);
      await client.query('SET session_replication_role = replica'); // when it was created is guarded
      await client.query(
        `UPDATE runs SET from_trace = true, created_at = now() - interval '1 hour',
           updated_at = now() - interval '1 hour' WHERE id = $1`,
        [silent.id],
      );
    });
    await roundsOf(api.database, leaseWatches(2));
    await roundsOf(api.database, housekeepers());
    await roundsOf(api.database, approvalWatches(2));
    const failed = { action: 'run.failed', actor: SYSTEM, request_id: null, before: { status: 'running' } };
    expect(await actsOn(leased.id)).toMatchObject([
      { ...failed, after: { status: 'failed', error_type: 'lease_expired' } },
    ]);
    expect(await actsOn(silent.id)).toMatchObject([
      { ...failed, after: { status: 'failed', error_type: 'trace_incomplete' } },
    ]);
    const expired = { action: 'approval.expired', actor: SYSTEM, before: { status: 'pending' } };
    expect(await actsOn(late.id)).toMatchObject([{ ...expired, after: { status: 'expired' } }]);
    expect(await actsOn(rejected.id)).toMatchObject([{ ...expired, after: { status: 'rejected' } }]);
  });
});

describe('what is not told', () => {
  it('[X11] an act that is refused or rolled back leaves no entry', async () => {
    const project = await things.aProject(admin);
    const taken = (await things.aProject(admin)).name as string;
    await things.anAgent(admin, { project_id: project.id });
    const running = await things.aRunningRun(admin);
    const before = await everyRow(admin, '/v1/audit-log', 200);
    const refused = [
      await admin.patch(`/v1/projects/${project.id}`, { name: taken }),
      await admin.delete(`/v1/projects/${project.id}`),
      await admin.post('/v1/projects', { name: taken }),
      await admin.delete(`/v1/runs/${running.id}`),
      await admin.post(`/v1/runs/${running.id}/resume`, {}),
      await admin.delete(`/v1/model-prices/${randomUUID()}`),
    ];
    expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409, 404]);
    expect(await everyRow(admin, '/v1/audit-log', 200)).toEqual(before);
  });

  it('[X11] an act that cannot be told of does not happen', async () => {
    const run = await things.aRunningRun(admin);
    const project = await things.aProject(admin, { name: 'kept' });
    await connected(api.database.adminUrl, async (client) => {
      await client.query('ALTER TABLE audit_log ADD CONSTRAINT none CHECK (false) NOT VALID');
      const answers = [
        await admin.post(`/v1/runs/${run.id}/cancel`),
        await admin.patch(`/v1/projects/${project.id}`, { name: 'lost' }),
      ];
      await client.query('ALTER TABLE audit_log DROP CONSTRAINT none');
      expect(answers.map(({ status }) => status >= 400)).toEqual([true, true]);
    });
    expect((await admin.get(`/v1/runs/${run.id}`)).body.status).toBe('running');
    expect((await admin.get(`/v1/projects/${project.id}`)).body.name).toBe('kept');
  });

  it('[X11] [S5] the same act again, or many times at once, is told once', async () => {
    const { id: project_id } = await things.aProject(admin, { name: 'once', description: 'd' });
    const agent = await things.anAgent(admin, { project_id });
    const run = await things.aRunningRun(admin, { agent_id: agent.id });
    const approval = await things.anApproval(admin);
    const key = await things.aKey(admin, { scope: 'organization' });
    await atOnce(5, () => admin.post(`/v1/runs/${run.id}/cancel`, { reason: 'enough' }));
    await atOnce(5, () => admin.post(`/v1/approvals/${approval.id}/decide`, { decision: 'approve' }));
    await atOnce(5, () => admin.delete(`/v1/api-keys/${key.id}`));
    await atOnce(5, () => admin.patch(`/v1/projects/${project_id}`, { name: 'once', description: 'e' }));
    await atOnce(5, () => admin.patch(`/v1/agents/${agent.id}`, { adapter: 'other' }));
    await atOnce(5, () => admin.post(`/v1/agents/${agent.id}/versions/1/restore`));
    await atOnce(5, () => admin.delete(`/v1/runs/${run.id}`));
    await atOnce(5, () => admin.delete(`/v1/agents/${agent.id}`));
    expect(await actionsOn(run.id)).toEqual(['run.cancelled', 'run.deleted']);
    expect(await actionsOn(approval.id)).toEqual(['approval.decided']);
    expect(await actionsOn(key.id)).toEqual(['api_key.created', 'api_key.revoked']);
    expect(await actionsOn(project_id)).toEqual(['project.created', 'project.changed']);
    expect(await actionsOn(agent.id)).toEqual([
      ...['agent.created', 'agent.changed', 'agent.restored', 'agent.deleted'],
    ]);
  });

  it('[K2] [K3] neither keys, nor what proves them, nor what runs and agents hold', async () => {
    const canary = randomUUID();
    const minted = await things.aKey(admin, { scope: 'organization' });
    const rotated = await admin.post(`/v1/api-keys/${minted.id}/rotate`, {});
    const agent = await things.anAgent(admin, { config: { token: canary } });
    await admin.patch(`/v1/agents/${agent.id}`, { config: { other: canary }, note: canary });
    const run = await things.aWaitingRun(admin, { agent_id: agent.id, input: canary, metadata: { canary } });
    await admin.post(`/v1/runs/${run.id}/resume`, { input: canary });
    await admin.post(`/v1/runs/${run.id}/cancel`, { reason: canary });
    const approval = await things.anApproval(admin, { payload: canary, allowed: ['edit'] });
    const edit = { decision: 'edit', answer: canary, reason: canary };
    expect((await admin.post(`/v1/approvals/${approval.id}/decide`, edit)).status).toBe(200);
    const secrets = [minted.key, rotated.body.key, api.adminKey].flatMap((key: string) => {
      const digest = createHash('sha256').update(key).digest();
      return [key, key.slice(20), digest.toString('hex'), digest.toString('base64')];
    });
    const { rows } = await connected(api.database.adminUrl, (client) =>
      client.query<{ text: string }>('SELECT t::text AS text FROM audit_log t'),
    );
    const written = rows.map(({ text }) => text).join('\n');
    expect(written).toContain(minted.public_id);
    expect([canary, ...secrets].filter((secret) => written.includes(secret))).toEqual([]);
  });
});

describe('who reads the audit log', () => {
  it('[T1] [T5] an organization all of its own, a project and an agent what was done there, and only admins', async () => {
    const founded = await things.anOrganization(api.root);
    const own = api.as(founded.api_key.key as string);
    const project = await things.aProject(own);
    const [one, two] = [0, 1].map(() => things.anAgent(own, { project_id: project.id }));
    const [first, second] = [await one, await two];
    const elsewhere = await things.anAgent(own);
    const keyOf = async (members: object): Promise<Client> =>
      api.as((await things.aKey(own, { role: 'admin', ...members })).key as string);
    const ofProject = await keyOf({ scope: 'project', project_id: project.id });
    const ofAgent = await keyOf({ scope: 'agent', agent_id: first.id });

    const entities = async (client: Client): Promise<Set<string>> =>
      new Set((await everyRow(client, '/v1/audit-log', 3)).map(({ entity_id }) => entity_id as string));
    const [all, some, few] = [await entities(own), await entities(ofProject), await entities(ofAgent)];
    const ids = [founded.id, project.id, first.id, second.id, elsewhere.id];
    expect(ids.map((id) => all.has(id))).toEqual([true, true, true, true, true]);
    expect(ids.map((id) => some.has(id))).toEqual([false, true, true, true, false]);
    expect(ids.map((id) => few.has(id))).toEqual([false, false, true, false, false]);
    expect((await entities(admin)).has(founded.id)).toBe(false);

    for (const role of ['viewer', 'reporter', 'operator']) {
      const client = await keyOf({ scope: 'organization', role });
      expect((await client.get('/v1/audit-log')).status).toBe(403);
    }
    for (const query of [
      `project_id=${elsewhere.project_id}`,
      `agent_id=${second.id}`,
      `entity_id=${second.id}`,
    ])
      expect((await ofAgent.get(`/v1/audit-log?${query}`)).body.data).toEqual([]);
  });

  it('by who, what, to what, where and when, each alone and all together', async () => {
    const key = await things.aKey(admin, { scope: 'organization' });
    const client = api.as(key.key);
    const agent = await things.anAgent(client);
    const run = await things.aRunningRun(client, { agent_id: agent.id });
    await client.post(`/v1/runs/${run.id}/cancel`);
    await client.delete(`/v1/runs/${run.id}`);
    const all = await everyRow(admin, `/v1/audit-log?actor_key_id=${key.id}`, 2);
    const actions = (rows: Thing[]): string[] => rows.map(({ action }) => action as string);
    expect(actions(all)).toEqual(['run.deleted', 'run.cancelled', 'agent.created', 'project.created']);
    const cancelledAt = all[1].at as string;
    const found = async (query: string): Promise<string[]> =>
      actions(await everyRow(admin, `/v1/audit-log?actor_key_id=${key.id}&${query}`, 1));
    expect(await found(`entity_id=${run.id}`)).toEqual(['run.deleted', 'run.cancelled']);
    expect(await found('entity_type=run')).toEqual(['run.deleted', 'run.cancelled']);
    expect(await found('action=run.deleted,project.created')).toEqual(['run.deleted', 'project.created']);
    expect(await found('action=run.deleted&entity_type=project')).toEqual([]);
    expect(await found(`agent_id=${agent.id}`)).toEqual(['run.deleted', 'run.cancelled', 'agent.created']);
    expect(await found(`project_id=${agent.project_id}`)).toEqual(actions(all));
    expect(await found('actor=root')).toEqual([]);
    expect(await found(`at_after=${cancelledAt}`)).toEqual(['run.deleted']);
    expect(await found(`at_before=${cancelledAt}`)).toEqual(['agent.created', 'project.created']);
    const where = `project_id=${agent.project_id}&agent_id=${agent.id}&entity_id=${run.id}`;
    expect(
      await found(`${where}&actor=key&entity_type=run&action=run.cancelled&at_before=${all[0].at}`),
    ).toEqual(['run.cancelled']);
  });

  it('[X11] after everything that it tells of is gone, and the key that did it as well', async () => {
    const project = await things.aProject(admin, { name: 'short-lived' });
    const { id: project_id } = project;
    const key = await things.aKey(admin, { scope: 'project', project_id, name: 'last one' });
    const own = api.as(key.key);
    const agent = await things.anAgent(own, { project_id });
    await things.aRunningRun(own, { agent_id: agent.id });
    expect((await own.delete(`/v1/projects/${project_id}?cascade=true`)).status).toBe(204);
    expect((await admin.get(`/v1/api-keys/${key.id}`)).status).toBe(404);
    const told = await everyRow(admin, `/v1/audit-log?project_id=${project_id}`, 200);
    expect(told).toMatchObject([
      { action: 'project.deleted', actor: { key_id: key.id, name: 'last one', role: 'admin' } },
      { action: 'agent.deleted', actor: { key_id: key.id, name: 'last one' } },
      { action: 'agent.created', actor: { key_id: key.id } },
      { action: 'api_key.created' },
      { action: 'project.created' },
    ]);
    const ofAgent = await things.anAgent(admin);
    const ownKey = await things.aKey(admin, { scope: 'agent', agent_id: ofAgent.id });
    expect((await api.as(ownKey.key).delete(`/v1/agents/${ofAgent.id}`)).status).toBe(204);
    expect((await actsOn(ofAgent.id)).at(-1)).toMatchObject({
      ...{ action: 'agent.deleted', actor: { key_id: ownKey.id, public_id: ownKey.public_id } },
    });
  });
});
