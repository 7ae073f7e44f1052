import { runList } from '@agentflow/core';
import { organizationScope } from '@agentflow/database';
import pg from 'pg';
import { HttpClient } from './http-client.js';
import { median, ratioInTurns } from './figures.js';
import type { Server } from './server.js';

const RUNS = 100_000;
const ROUNDS = 5;
const REQUESTS = 300;
const WARM_UP = 5;

/**
 * `GET /v1/runs?limit=50` at 100,000 runs, against the same query by `pg`: the time of the middle request, one at a
 * time. The cost of the door is what stands above 1.
 */
export async function listVsSql({ url, key, adminUrl }: Server): Promise<number> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  const http = await HttpClient.open(url, { authorization: `Bearer ${key}` });
  try {
    const tenantId = await seed(client, url, key);
    const { statement, values } = runList(
      { scope: organizationScope(tenantId) },
      {},
      { limit: 51, after: undefined },
    );
    const plain = (): Promise<number> => middleOf(() => client.query({ ...statement, values: [...values] }));
    const ours = (): Promise<number> =>
      middleOf(async () => {
        const rows = (await http.get('/v1/runs?limit=50')).split('"agent_version":').length - 1;
        if (rows !== 50) throw new Error(`${rows} rows`);
      });
    // Both are warm before anything counts.
    for (let i = 0; i < WARM_UP; i++) await ours();
    await plain();
    return await ratioInTurns(ROUNDS, ours, plain, 'ms');
  } finally {
    http.close();
    await client.end();
  }
}

async function middleOf(request: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    const began = performance.now();
    await request();
    times.push(performance.now() - began);
  }
  return median(times);
}

async function seed(client: pg.Client, url: string, key: string): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const projects = (await (await fetch(`${url}/v1/projects`, { headers })).json()) as {
    data: { id: string }[];
  };
  const body = { name: 'seed', adapter: 'custom', project_id: projects.data[0]?.id };
  await fetch(`${url}/v1/agents`, { method: 'POST', headers, body: JSON.stringify(body) });
  await client.query(`
    INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, name, tags, session_id,
      started_at, ended_at, created_at, updated_at, last_move, input)
    SELECT tenant_id, gen_random_uuid(), project_id, id, 1, adapter,
      CASE WHEN n % 20 = 0 THEN 'failed' ELSE 'succeeded' END, 'run ' || n, '["nightly", "eu"]', 'session ' || n % 1000,
      at, at + interval '3 seconds', at, at, 'start', '{"question": "what?"}'
    FROM agents, generate_series(1, ${RUNS}) AS n, LATERAL (SELECT now() - n * interval '1 second' AS at) t
    WHERE name = 'seed'`);
  await client.query('VACUUM ANALYZE runs');
  const { rows } = await client.query<{ tenant_id: string }>('SELECT tenant_id FROM runs LIMIT 1');
  return rows[0]?.tenant_id as string;
}
