import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RunsService, StepsService, listRuns } from '@agentflow/core';
import {
  organizationScope,
  scopeColumns,
  scopeId,
  type Actor,
  type Scope,
  type Transaction,
} from '@agentflow/database';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { anApi, type TestApi } from '../support/api.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aStatementProxy, type StatementProxy } from '../support/statement-proxy.js';

/** What the compiler refuses, as it would come from code that by-passes it. */
const NO_SCOPES = [
  undefined,
  null,
  {},
  { kind: 'organization' },
  { kind: 'organization', tenantId: undefined },
];

describe('queries without a scope', () => {
  let database: TestDatabase;
  let proxy: StatementProxy;
  let api: TestApi;
  beforeAll(async () => {
    database = await aDatabase();
    proxy = await aStatementProxy(database.appUrl);
    // Only what is asked is counted: the api listens for news by itself.
    api = await anApi({ AGENTFLOW_LISTEN_URL: database.appUrl }, { ...database, appUrl: proxy.url });
  });
  afterAll(async () => {
    await api.close();
    await proxy.close();
    await database.drop();
  });

  it('[V4] The compiler takes no query without its scope', () => {
    // Each line is an error of types; without one, `npm run types` fails.
    const refused = (database: TestApi['connected']['database'], tx: Transaction): unknown[] => [
      // @ts-expect-error -- an actor has a scope
      () => database.transaction({}, async () => undefined),
      // @ts-expect-error -- a scope has a tenant
      () => database.transaction({ scope: { kind: 'organization' } }, async () => undefined),
      // @ts-expect-error -- the transaction, which has the scope, comes first
      () => listRuns({}, { limit: 1, after: undefined }),
      // @ts-expect-error -- a transaction comes from the database only
      (): Transaction => ({ scope: tx.scope }),
      // @ts-expect-error -- an organization's scope names neither project nor agent
      (): Scope => ({ kind: 'organization', tenantId: '', projectId: '', agentId: null }),
    ];
    expect(refused).toBeInstanceOf(Function);
  });

  it('[V4] Code that by-passes the compiler fails before a statement is sent, and leaves no connection behind', async () => {
    const [runs, steps] = [api.app.get(RunsService), api.app.get(StepsService)];
    const pool = (api.connected.dataSource.driver as PostgresDriver).master as Pool;
    const before = proxy.statements();
    for (const scope of NO_SCOPES) {
      const actor = { scope, keyId: null } as unknown as Actor;
      await expect(runs.get(actor, randomUUID())).rejects.toThrow();
      await expect(steps.add(actor, randomUUID(), { node: 'n' })).rejects.toThrow();
    }
    expect(proxy.statements()).toBe(before);
    expect(pool.totalCount - pool.idleCount).toBe(0);
  });

  it('[V4] What a scope binds is its tenant, and an absent scope binds nothing', () => {
    const tenant = randomUUID();
    expect(scopeColumns(organizationScope(tenant))).toEqual([tenant, null, null]);
    expect(scopeId(organizationScope(tenant))).toBe(tenant);
    for (const scope of [undefined, null])
      expect(() => scopeColumns(scope as unknown as Scope)).toThrow(TypeError);
  });
});
