import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { comparable, exchange, inParallel, type Sent } from '../support/matrix/exchange.js';
import { aTenancyWorld, type Place, type RunOfPlace, type TenancyWorld } from '../support/matrix/places.js';
import { tableOf } from '../support/matrix/route-table.js';
import { SAMPLES } from '../support/matrix/samples.js';
import { filled, parametersOf, thingsOf } from '../support/matrix/targets.js';
import { aCheckpoint } from '../support/things.js';

describe('nested paths', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let keepers: Caller[];
  let notFound: string;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    for (const place of [world.siblingAgent, world.siblingProject, world.foreign]) await growBeyondOwn(place);
    await aCheckpoint(api.admin, otherRun().id);
    keepers = [
      await aCaller('organization', 'admin', world.own),
      await aCaller('project', 'admin', world.own),
      await aCaller('agent', 'admin', world.own),
    ];
    const missing = { method: 'GET', path: `/v1/runs/${randomUUID()}`, key: api.adminKey };
    notFound = comparable(await exchange(api.url, missing));
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  /** Numbers mean something only where they are high enough: elsewhere there is a third version and checkpoint. */
  async function growBeyondOwn({ admin, agentId, run }: Place): Promise<void> {
    await admin.patch(`/v1/agents/${agentId}`, { adapter: 'changed-again' });
    await aCheckpoint(admin, run.id);
  }

  /** Another run of the same agent, which is in every keeper's sight. */
  const otherRun = (): RunOfPlace =>
    world.own.runs.find(({ status }) => status === 'waiting_human') as RunOfPlace;

  /** Things that are there, each under a parent that is not that of A1's running run or of A1. */
  function strayChildren(name: string, path: string): string[] {
    const elsewhere = [world.siblingAgent, world.siblingProject, world.foreign];
    const inRuns = [otherRun(), ...elsewhere.map(({ run }) => run)];
    const loose = elsewhere.map(({ looseCallId }) => looseCallId);
    if (name === 'version') return ['3'];
    if (name === 'index') return ['2'];
    if (name === 'step_id') return inRuns.flatMap(({ stepIds }) => stepIds);
    if (name === 'approval_id') return inRuns.flatMap(({ approvalId }) => approvalId ?? []);
    if (name !== 'call_id') throw new Error(`say which ${name} belongs elsewhere`);
    return path.includes(':run_id')
      ? [world.own.looseCallId, ...loose, ...inRuns.flatMap(({ callIds }) => callIds)]
      : [...world.own.run.callIds, ...loose, ...inRuns.flatMap(({ callIds }) => callIds)];
  }

  /** Parents that have no such child, seen or not. */
  function strayParents(name: string): string[] {
    const elsewhere = [world.siblingAgent, world.siblingProject, world.foreign];
    return name === 'run_id'
      ? [otherRun().id, ...elsewhere.map(({ run }) => run.id)]
      : elsewhere.map(({ agentId }) => agentId);
  }

  /** Each route with two parameters, at every mismatched pair. */
  function mismatches(): Omit<Sent, 'key'>[] {
    return tableOf(api.app).flatMap((route) => {
      const [method = '', path = ''] = route.split(' ');
      const [parent, child] = parametersOf(path);
      // Of two runs that are compared, neither lies under the other.
      if (parent === undefined || child === undefined || child === 'other_run_id') return [];
      const own = thingsOf(world.own, path);
      const isNumber = child === 'version' || child === 'index';
      const pairs = [
        ...strayChildren(child, path).map((id) => ({ ...own, [child]: id })),
        ...(isNumber ? [] : strayParents(parent).map((id) => ({ ...own, [parent]: id }))),
      ];
      const body = SAMPLES[route]?.body?.(world.own, keepers[0] as Caller);
      return pairs.map((params) => ({ method, path: filled(path, params), body }));
    });
  }

  it('[T3] a child under another parent is not there, whoever asks and however, and nothing is written', async () => {
    const before = await tableDigests(superuser);
    const requests = keepers.flatMap(({ key }) => mismatches().map((sent) => ({ ...sent, key })));
    expect(requests.length).toBeGreaterThan(200);
    const found = await inParallel(requests, async (sent) => {
      const reply = await exchange(api.url, sent);
      return comparable(reply) === notFound
        ? []
        : [`${sent.method} ${sent.path}: ${reply.status} ${reply.text}`];
    });
    expect(found.flat()).toEqual([]);
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it('[T3] every one of these children is there under its own parent', async () => {
    const { admin, run } = world.siblingAgent;
    const other = otherRun();
    for (const path of [
      `/v1/runs/${other.id}/steps/${other.stepIds[1]}`,
      `/v1/runs/${other.id}/tool-calls/${other.callIds[1]}`,
      `/v1/runs/${other.id}/checkpoints/2`,
      `/v1/runs/${run.id}/steps/${run.stepIds[1]}`,
      `/v1/runs/${run.id}/approvals/${run.approvalId}`,
      `/v1/agents/${world.siblingAgent.agentId}/tool-calls/${world.siblingAgent.looseCallId}`,
      `/v1/agents/${world.siblingAgent.agentId}/versions/3`,
    ]) {
      expect((await admin.get(path)).status).toBe(200);
    }
  });

  it('[T3] two versions are compared only where both are there', async () => {
    const { agentId } = world.own;
    for (const { key } of keepers) {
      for (const query of ['from=1&to=3', 'from=3&to=1', 'from=3&to=3']) {
        const path = `/v1/agents/${agentId}/versions/diff?${query}`;
        expect(comparable(await exchange(api.url, { method: 'GET', path, key }))).toBe(notFound);
      }
    }
  });

  it("[T3] a tool call is completed by name only within its run's own step", async () => {
    const before = await tableDigests(superuser);
    const path = `/v1/runs/${world.own.run.id}/tool-calls/complete`;
    for (const { stepIds } of [otherRun(), world.siblingAgent.run, world.foreign.run]) {
      const body = { name: 'search', step_id: stepIds[1], result: 1 };
      for (const { key } of keepers) {
        expect(comparable(await exchange(api.url, { method: 'POST', path, key, body }))).toBe(notFound);
      }
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });
});
