import pg from 'pg';
import { v7 as newId } from 'uuid';
import { ratioInTurns } from './figures.js';
import { HttpClient } from './http-client.js';
import { vacuum, type Server } from './server.js';

const ROUNDS = 5;
const SECONDS = 5;
const WARM_UPS = 3;
const CLIENTS = 32;
const CONNECTIONS = 16;
const INPUT = { messages: [{ role: 'user', content: 'x'.repeat(300) }] };

/**
 * Single writes over REST, in turn: start a run, add a step, finish the run. Against single-row prepared inserts of
 * such a step by a plain script; every write of both is committed on its own.
 */
export function writeOne(server: Server): Promise<number> {
  return againstPlain(server, plainInserts);
}

/** The same writes over REST, against what they leave of a run and its step, written in the same turn by a plain script. */
export function writeOneAlike(server: Server): Promise<number> {
  return againstPlain(server, plainRuns);
}

async function againstPlain(server: Server, of: (server: Server) => Promise<Plain>): Promise<number> {
  const plain = await of(server);
  const ours = (): Promise<number> => restWrites(server);
  // The server compiles what runs often for some ten thousand writes.
  for (let i = 0; i < WARM_UPS; i++) await ours();
  try {
    return await ratioInTurns(ROUNDS, ours, plain.measure, 'writes/s', () => vacuum(server));
  } finally {
    await plain.close();
  }
}

export async function restWrites({ url, key }: Server): Promise<number> {
  const agent = { name: 'bench', adapter: 'custom' };
  const project = await projectOf(url, key);
  const start = JSON.stringify({ agent, project_id: project, start: true, input: INPUT });
  const step = JSON.stringify({ node: 'plan', status: 'succeeded', input: INPUT });
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => HttpClient.open(url, headersFor(key))),
  );
  const began = performance.now();
  const until = began + SECONDS * 1_000;
  let count = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < until) {
        const run = /"id":"([^"]+)"/.exec(await client.post('/v1/runs', start))?.[1];
        await client.post(`/v1/runs/${run}/steps`, step);
        await client.post(`/v1/runs/${run}/succeed`, '{"output":1}');
        count += 3;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  return count / seconds;
}

function headersFor(key: string): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
}

async function projectOf(url: string, key: string): Promise<string> {
  const response = await fetch(`${url}/v1/projects`, { headers: headersFor(key) });
  return ((await response.json()) as { data: { id: string }[] }).data[0]?.id as string;
}

interface Plain {
  measure(): Promise<number>;
  close(): Promise<void>;
}

/** Into the same table, past row security and counters: what Postgres and the driver can do with one row at a time. */
async function plainInserts({ url, key, adminUrl }: Server): Promise<Plain> {
  const clients = await connections(adminUrl);
  const { tenantId, runs } = await aRunForEach(clients, url, key);
  const input = JSON.stringify(INPUT);
  let index = 1_000_000;
  const insert = async (client: pg.Client, worker: number): Promise<number> => {
    await client.query({
      name: 'insert-step',
      text: `INSERT INTO steps (tenant_id, run_id, id, index, node, status, input) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      values: [tenantId, runs[worker], newId(), index++, 'plan', 'running', input],
    });
    return 1;
  };
  return plain(clients, insert);
}

/** A run, its step and its end, into the same tables, past row security, log and counters. */
async function plainRuns({ url, key, adminUrl }: Server): Promise<Plain> {
  const clients = await connections(adminUrl);
  const { runs } = await aRunForEach(clients.slice(0, 1), url, key);
  const input = JSON.stringify(INPUT);
  const like = (
    await (clients[0] as pg.Client).query<Record<string, string>>(
      'SELECT tenant_id, project_id, agent_id, agent_version FROM runs WHERE id = $1',
      [runs[0]],
    )
  ).rows[0] as Record<string, string>;
  const write = async (client: pg.Client): Promise<number> => {
    const [run, tenant] = [newId(), like['tenant_id']];
    await client.query({
      name: 'insert-run',
      text: `INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, last_move, started_at, input)
        VALUES ($1, $2, $3, $4, $5, 'custom', 'running', 'start', now(), $6)`,
      values: [tenant, run, like['project_id'], like['agent_id'], like['agent_version'], input],
    });
    await client.query({
      name: 'insert-step',
      text: `INSERT INTO steps (tenant_id, run_id, id, index, node, status, input) VALUES ($1, $2, $3, 0, 'plan', 'succeeded', $4)`,
      values: [tenant, run, newId(), input],
    });
    await client.query({
      name: 'end-run',
      text: `UPDATE runs SET status = 'succeeded', last_move = 'succeed', output = '1', ended_at = now(), updated_at = now()
        WHERE tenant_id = $1 AND id = $2`,
      values: [tenant, run],
    });
    return 3;
  };
  return plain(clients, write);
}

/** All connections at once; `write` answers how many writes it committed. */
function plain(clients: pg.Client[], write: (client: pg.Client, worker: number) => Promise<number>): Plain {
  return {
    measure: async () => {
      const began = performance.now();
      const until = began + SECONDS * 1_000;
      const counts = await Promise.all(
        clients.map(async (client, worker) => {
          let count = 0;
          while (performance.now() < until) count += await write(client, worker);
          return count;
        }),
      );
      return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - began) / 1_000);
    },
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

function connections(connectionString: string): Promise<pg.Client[]> {
  return Promise.all(Array.from({ length: CONNECTIONS }, () => connected(connectionString)));
}

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function aRunForEach(
  clients: pg.Client[],
  url: string,
  key: string,
): Promise<{ tenantId: string; runs: string[] }> {
  const project_id = await projectOf(url, key);
  const runs: string[] = [];
  for (let i = 0; i < clients.length; i++) {
    const response = await fetch(`${url}/v1/runs`, {
      method: 'POST',
      headers: headersFor(key),
      body: JSON.stringify({ agent: { name: 'plain', adapter: 'custom' }, project_id, start: true }),
    });
    runs.push(((await response.json()) as { id: string }).id);
  }
  const { rows } = await (clients[0] as pg.Client).query<{ tenant_id: string }>(
    'SELECT tenant_id FROM runs LIMIT 1',
  );
  return { tenantId: rows[0]?.tenant_id as string, runs };
}
