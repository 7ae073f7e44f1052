import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IngestItem } from '@agentflow/contracts';
import { IngestService, PriceBook, ReceivedReports, type RunReport } from '@agentflow/core';
import { organizationScope, type Actor } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aDatabase, type TestDatabase } from '../support/database.js';
import { aRunEnd, aRunStart, aStepEnd, aStepStart, at } from '../support/items.js';
import { aStatementProxy, type StatementProxy } from '../support/statement-proxy.js';

type Items = readonly IngestItem<RawJson>[];

/** A run with one of each kind of what is looked for by id. */
function aRunOfItems(): Items {
  const [run, step] = [randomUUID(), randomUUID()];
  const items = [
    aRunStart(run),
    aStepStart(run, step),
    {
      type: 'message',
      run_id: run,
      id: randomUUID(),
      at: at(1_100),
      role: 'user',
      content: 'Hi',
      step_id: step,
    },
    aStepEnd(run, step),
    aRunEnd(run),
  ];
  return items as unknown as Items;
}

const runs = (count: number): Items[] => Array.from({ length: count }, aRunOfItems);

describe('what a batch asks of the database', () => {
  let database: TestDatabase;
  let proxy: StatementProxy;
  let api: TestApi;
  let actor: Actor;
  beforeAll(async () => {
    database = await aDatabase();
    proxy = await aStatementProxy(database.appUrl);
    // Only what is asked is counted: the api listens for news by itself.
    api = await anApi({ AGENTFLOW_LISTEN_URL: database.appUrl }, { ...database, appUrl: proxy.url });
    const tenantId = (await api.admin.get('/v1/me')).body.organization.id as string;
    actor = { scope: organizationScope(tenantId), keyId: null };
    await ingested(runs(1));
  });
  afterAll(async () => {
    await api.close();
    await proxy.close();
    await database.drop();
  });

  const ingested = (batch: Items[]): Promise<unknown> =>
    api.app.get(IngestService).ingest(actor, { items: batch.flat(), amends: false });

  /** What another reporter sends: the items are the records. */
  const received = (batch: Items[]): Promise<unknown> => {
    const reports = batch.map((items): RunReport => {
      const runId = items[0]?.run_id as string;
      const body = Buffer.from(JSON.stringify(items));
      return { runId, items, body, speaksOfRun: true, about: [], below: [] };
    });
    const map = (bodies: readonly Uint8Array[]): { items: Items } => ({
      items: bodies.flatMap((body) => JSON.parse(Buffer.from(body).toString()) as Items),
    });
    return api.app.get(ReceivedReports).take(actor, { name: 'items', version: 1, map }, reports);
  };

  async function statementsOf(work: () => Promise<unknown>): Promise<number> {
    api.app.get(PriceBook).forget(actor.scope.tenantId);
    const before = proxy.statements();
    await work();
    return proxy.statements() - before;
  }

  it.each([
    ['reported', ingested],
    ['received from another reporter', received],
  ])(
    'A batch of many new runs of one agent, %s, takes as many statements as a batch of one',
    async (_, take) => {
      const ofOne = await statementsOf(() => take(runs(1)));
      expect(await statementsOf(() => take(runs(20)))).toBe(ofOne);
    },
  );

  it('Below runs that another reporter is the first to name, nothing is looked for', async () => {
    // Without a round trip of their own, looks cost less, and are not saved; the reports are kept on top.
    const withLooks = await statementsOf(() => ingested(runs(1)));
    expect(await statementsOf(() => received(runs(1)))).toBeLessThan(withLooks);
  });
});
