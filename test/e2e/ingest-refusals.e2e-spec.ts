import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aRunStart, aStepStart, at } from '../support/items.js';
import { aKey, aProject } from '../support/things.js';

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());
/** Names of agents are the organization's. */
const ELSEWHERE = { name: 'elsewhere', adapter: 'custom' };
const aCall = (run_id: string, id: string): object => ({
  ...{ type: 'tool_call.started', run_id, id, at: at(1), name: 'search' },
});

/** With an Idempotency-Key the batch is part of a transaction that goes on after a failed attempt. */
describe.each([false, true])('what cannot be kept of a batch (under an Idempotency-Key: %s)', (isOnce) => {
  let api: TestApi;
  let elsewhere: Client;
  let here: Client;
  beforeAll(async () => {
    api = await anApi();
    elsewhere = await aProjectKey();
    here = await aProjectKey();
  });
  afterAll(() => api.close());

  async function aProjectKey(): Promise<Client> {
    const project_id = (await aProject(api.admin)).id;
    return api.as((await aKey(api.admin, { role: 'reporter', scope: 'project', project_id })).key);
  }

  async function send(client: Client, ...items: object[]): Promise<string[]> {
    const headers: Record<string, string> = isOnce ? { 'idempotency-key': randomUUID() } : {};
    const { status, text, body } = await client.post('/v1/ingest', items, headers);
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body.results.map(({ verdict, code }: { verdict: string; code?: string }) => code ?? verdict);
  }

  const externalIds = (runs: readonly string[]): Promise<unknown[]> =>
    Promise.all(runs.map(async (run) => (await api.admin.get(`/v1/runs/${run}`)).body.external_id));

  it('Of runs that announce themselves by one external id the first has it, and nobody else is refused', async () => {
    const [a = '', b = '', c = ''] = ids(3).sort().reverse();
    const [x, y] = ids(2);
    const announcements = [
      aRunStart(a, { external_id: x }),
      aRunStart(b, { external_id: x }),
      aRunStart(c, { external_id: y }),
    ];
    await send(here, aStepStart(a), aStepStart(b), aStepStart(c));
    expect(await send(here, ...announcements)).toEqual(['updated', 'external_id_conflict', 'updated']);
    expect(await externalIds([a, b, c])).toEqual([x, null, y]);
  });

  it('The same holds of runs that begin with the batch', async () => {
    const [a = '', b = '', c = ''] = ids(3).sort().reverse();
    const [x, y] = ids(2);
    const [first, second, third] = [[a, x], [b, x], [c, y]] as const; // prettier-ignore
    const announced = [first, second, third].map(([run, external_id]) => aRunStart(run, { external_id }));
    expect(await send(here, ...announced, aStepStart(b))).toEqual([
      ...['created', 'external_id_conflict', 'created', 'created'],
    ]);
    expect(await externalIds([a, b, c])).toEqual([x, null, y]);
  });

  it.each([true, false])(
    '[T7] An external id of a run elsewhere refuses the one that names it (heard of before: %s)',
    async (isHeardOf) => {
      const [taken, fresh] = ids(2);
      const [holder = '', a = '', b = ''] = ids(3);
      await send(elsewhere, aRunStart(holder, { external_id: taken, agent: ELSEWHERE }));
      if (isHeardOf) await send(here, aStepStart(a), aStepStart(b));
      const kept = isHeardOf ? 'updated' : 'created';
      expect(
        await send(
          here,
          aRunStart(a, { external_id: taken }),
          aRunStart(b, { external_id: fresh }),
          aStepStart(a),
        ),
      ).toEqual(['not_found', kept, 'created']);
      expect(await externalIds([a, b])).toEqual([null, fresh]);
    },
  );

  it('[T7] However many reasons there are to refuse, each item has its own, and the others are kept', async () => {
    const [f = '', h = '', i = '', a = '', b = '', d = '', call = ''] = ids(7);
    const [x1, x2, fresh] = ids(3);
    const agent = ELSEWHERE;
    await send(elsewhere, aRunStart(f, { agent }), aRunStart(h, { external_id: x2, agent }), aCall(f, call));
    await send(here, aRunStart(i, { external_id: x1 }), aStepStart(a), aStepStart(b), aStepStart(d));
    expect(
      await send(
        here,
        aRunStart(f, { external_id: fresh }),
        aRunStart(a, { external_id: x1 }),
        aRunStart(b, { external_id: x2 }),
        aCall(d, call),
        aRunStart(randomUUID(), { external_id: fresh }),
        aStepStart(d),
      ),
    ).toEqual(['not_found', 'external_id_conflict', 'not_found', 'id_conflict', 'created', 'created']);
  });

  it('A run is not its own ancestor, however the circle comes together', async () => {
    const below = (run: string, parent_run_id: string): object => aRunStart(run, { parent_run_id });
    const [a = '', b = '', c = ''] = ids(3);
    expect(await send(here, below(randomUUID(), a))).toEqual(['created']);
    expect(await send(here, aRunStart(c, { parent_run_id: c }))).toEqual(['invalid_request']);
    expect(await send(here, below(a, b), below(b, c), below(c, a))).toEqual([
      ...['updated', 'created', 'invalid_request'],
    ]);
    expect(await send(here, below(c, a))).toEqual(['invalid_request']);
    expect(await send(here, below(c, randomUUID()))).toEqual(['updated']);
    const [d = '', e = ''] = ids(2);
    expect(await send(here, below(d, e))).toEqual(['created']);
    expect(await send(here, below(e, d), below(e, e))).toEqual(['invalid_request', 'invalid_request']);
    const parents = [a, b, d, e].map(
      async (run) => (await api.admin.get(`/v1/runs/${run}`)).body.parent_run_id,
    );
    expect(await Promise.all(parents)).toEqual([b, c, e, null]);
  });
});
