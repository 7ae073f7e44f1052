import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomInt, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import pg from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { exchange, hangUp, inParallel, type Sent } from '../support/matrix/exchange.js';
import { aPlace, type Place } from '../support/matrix/places.js';
import { aProject, aRunningRun, anOrganization } from '../support/things.js';

const REQUESTS = 1_500;
const SETTINGS = ['tenant_id', 'scope', 'project_id', 'agent_id'].map((name) => `agentflow.${name}`);

/** Somebody with rows of his own, and a run that somebody else holds locked. */
interface Tenant {
  readonly place: Place;
  readonly stuckRunId: string;
  readonly projectName: string;
}

describe.each([1, 2])('a pool of the size %i', (size) => {
  let api: TestApi;
  let superuser: pg.Client;
  let tenants: [Tenant, Tenant];

  beforeAll(async () => {
    api = await anApi({
      AGENTFLOW_POOL_SIZE: String(size),
      AGENTFLOW_POOL_TIMEOUT_MS: '20000',
      AGENTFLOW_STATEMENT_TIMEOUT_MS: '100',
    });
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    const founded = await anOrganization(api.root);
    tenants = [await aTenant(api.admin), await aTenant(api.as(founded.api_key.key))];
    await superuser.query('BEGIN');
    const stuck = tenants.map(({ stuckRunId }) => stuckRunId);
    await superuser.query('SELECT FROM runs WHERE id = ANY ($1) FOR UPDATE', [stuck]);
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  async function aTenant(admin: Client): Promise<Tenant> {
    const { organization } = (await admin.get('/v1/me')).body;
    const project = await aProject(admin);
    const place = await aPlace({ organizationId: organization.id, admin }, project.id, ['running', 'failed']);
    const { id } = await aRunningRun(admin, { agent_id: place.agentId });
    return { place, stuckRunId: id, projectName: project.name };
  }

  /** A request of a tenant: mostly reads and writes, some that fail in the middle of their transaction. */
  function aRequest({ place, stuckRunId, projectName }: Tenant, other: Tenant, dice: number): Sent {
    const { agentId, run } = place;
    const sent = (method: string, path: string, body?: unknown): Sent => ({
      method,
      path,
      body,
      key: place.admin.key as string,
    });
    if (dice < 0.015) return sent('POST', `/v1/runs/${stuckRunId}/steps`, { node: 'stuck' });
    if (dice < 0.06) return sent('POST', '/v1/projects', { name: projectName });
    if (dice < 0.09) return sent('POST', '/v1/runs', { id: run.id, agent_id: agentId, name: 'taken' });
    if (dice < 0.13) return sent('GET', `/v1/runs/${other.place.run.id}`);
    if (dice < 0.16) return sent('POST', `/v1/runs/${other.place.run.id}/steps`, { node: 'foreign' });
    if (dice < 0.26)
      return sent('POST', `/v1/runs/${run.id}/messages`, { role: 'user', content: randomUUID() });
    if (dice < 0.45) return sent('GET', '/v1/runs?limit=5');
    if (dice < 0.6) return sent('GET', `/v1/runs/${run.id}?include=steps,messages`);
    if (dice < 0.75) return sent('GET', '/v1/agents');
    if (dice < 0.9) return sent('GET', '/v1/api-keys');
    return sent('GET', '/v1/organization');
  }

  /** What a tenant is told of the other: nothing but what he asked for himself. */
  function isToldOf({ place }: Tenant, text: string): boolean {
    const { organizationId, projectId, agentId, keyId, runs } = place;
    return [organizationId, projectId, agentId, keyId, ...runs.map(({ id }) => id)].some((id) =>
      text.includes(id),
    );
  }

  let looking: Promise<unknown> = Promise.resolve();

  /** One look after the other: two that each hold a part of the pool would wait for ever. */
  function settingsLeft(): Promise<Record<string, unknown>[]> {
    const look = looking.then(lookAtAll);
    looking = look.catch(() => undefined);
    return look;
  }

  /** All connections of the pool, idle: whose they are, and what is left on them of the last transaction. */
  async function lookAtAll(): Promise<Record<string, unknown>[]> {
    const pool = (api.connected.dataSource.driver as PostgresDriver).master as pg.Pool;
    const clients = await Promise.all(Array.from({ length: size }, () => pool.connect()));
    const left = [];
    for (const client of clients) {
      const named = SETTINGS.map((name) => `coalesce(current_setting('${name}', true), '')`).join(' || ');
      const { rows } = await client.query(
        `SELECT ${named} AS scope, current_setting('statement_timeout') AS timeout, current_user = session_user AS self,
           now() = statement_timestamp() AS outside, (SELECT count(*)::integer FROM runs) AS seen`,
      );
      left.push(rows[0]);
      client.release();
    }
    return left;
  }

  const NOTHING = { scope: '', timeout: '0', self: true, outside: true, seen: 0 };

  it(`[T20] ${REQUESTS} requests of two tenants in turn, some refused, timed out or hung up on, see only their own`, async () => {
    const seed = randomInt(2 ** 31);
    const dice = fc.noBias(fc.integer({ min: 0, max: 999 }));
    const plan = fc.sample(fc.tuple(dice, dice, dice), { seed, numRuns: REQUESTS });
    const statuses = new Set<number>();
    const surprises = await inParallel([...plan.entries()], async ([i, [what, whether, when]]) => {
      const [tenant, other] = i % 2 === 0 ? tenants : ([tenants[1], tenants[0]] as const);
      const sent = aRequest(tenant, other, what / 1000);
      if (whether < 200) return hangUp(api.url, sent, when / 1000).then(() => []);
      const { status, text } = await exchange(api.url, sent);
      statuses.add(status);
      const left = i % 50 === 0 ? await settingsLeft() : [];
      const isOwn =
        sent.path !== '/v1/organization' || status !== 200 || text.includes(tenant.place.organizationId);
      const isClean = left.every((one) => isDeepStrictEqual(one, NOTHING));
      return isOwn && isClean && !isToldOf(other, text) ? [] : [{ i, sent, status, text, left }];
    });
    expect({ seed, surprises: surprises.flat() }).toEqual({ seed, surprises: [] });
    expect({ seed, left: await settingsLeft() }).toEqual({ seed, left: Array(size).fill(NOTHING) });
    // Each kind did happen, and nothing else: the timeouts are the 503s.
    expect([...statuses].sort()).toEqual([200, 201, 404, 409, 503]);
  }, 60_000);
});
