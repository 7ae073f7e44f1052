import pg from 'pg';
import { v7 as newId } from 'uuid';
import type { Server } from './server.js';

const CONNECTIONS = 8;
/** As many rows as a batch has steps. */
export const BATCH = 200;
const SECONDS = 5;
const TEXT = 'x'.repeat(980);

/** Payloads of a step: 2 KB in all. */
export const INPUT = { messages: [{ role: 'user', content: TEXT }] };
export const OUTPUT = { text: TEXT };

const INSERT = `INSERT INTO steps (tenant_id, run_id, id, index, node, kind, status, input, output, latency_ms, tokens_in,
    tokens_out, model, provider, metadata, started_at, ended_at)
  SELECT $1, $2, id, index, node, kind, status, input, output, latency_ms, tokens_in, tokens_out, model, provider, metadata,
    started_at, ended_at
  FROM unnest($3::uuid[], $4::integer[], $5::text[], $6::text[], $7::text[], $8::json[], $9::json[], $10::bigint[],
    $11::bigint[], $12::bigint[], $13::text[], $14::text[], $15::jsonb[], $16::timestamptz[], $17::timestamptz[])
    AS s (id, index, node, kind, status, input, output, latency_ms, tokens_in, tokens_out, model, provider, metadata,
      started_at, ended_at)`;

export interface Raw {
  /** Rows a second. */
  measure(): Promise<number>;
  close(): Promise<void>;
}

/**
 * The rows of a batch, and nothing else, by a plain script: one `unnest` for 200 steps, committed, past row security,
 * events and totals, with the arrays as the driver writes them.
 */
export async function rawSteps({ adminUrl }: Server): Promise<Raw> {
  const clients = await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const client = new pg.Client({ connectionString: adminUrl });
      await client.connect();
      return client;
    }),
  );
  const [first] = clients as [pg.Client];
  const runs: Awaited<ReturnType<typeof aRun>>[] = [];
  for (let i = 0; i < CONNECTIONS; i++) runs.push(await aRun(first));
  const next = clients.map(() => 0);
  const write = async (worker: number): Promise<void> => {
    const { tenantId, runId } = runs[worker] as { tenantId: string; runId: string };
    const from = next[worker] as number;
    next[worker] = from + BATCH;
    await (clients[worker] as pg.Client).query({
      name: 'raw-steps',
      text: INSERT,
      values: [tenantId, runId, ...columnsFrom(from)],
    });
  };
  return {
    measure: async () => {
      const began = performance.now();
      let rows = 0;
      await Promise.all(
        clients.map(async (_client, worker) => {
          for (; performance.now() < began + SECONDS * 1_000; rows += BATCH) await write(worker);
        }),
      );
      return rows / ((performance.now() - began) / 1_000);
    },
    close: async () => {
      for (const client of clients) await client.end();
    },
  };
}

function columnsFrom(index: number): unknown[][] {
  const all = <T>(value: (i: number) => T): T[] => Array.from({ length: BATCH }, (_, i) => value(index + i));
  return [
    all(() => newId()),
    all((i) => i),
    all(() => 'plan'),
    all(() => 'llm'),
    all(() => 'succeeded'),
    all(() => JSON.stringify(INPUT)),
    all(() => JSON.stringify(OUTPUT)),
    all(() => 1_000),
    all(() => 100),
    all(() => 50),
    all(() => 'gpt-4o'),
    all(() => 'openai'),
    all(() => '{}'),
    all(() => '2026-02-03T08:00:00.000000Z'),
    all(() => '2026-02-03T08:00:01.000000Z'),
  ];
}

async function aRun(client: pg.Client): Promise<{ tenantId: string; runId: string }> {
  const { rows } = await client.query<{ tenantId: string; runId: string }>(
    `INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status)
     SELECT tenant_id, $1, project_id, id, version, adapter, 'running' FROM agents LIMIT 1
     RETURNING tenant_id AS "tenantId", id AS "runId"`,
    [newId()],
  );
  return rows[0] as { tenantId: string; runId: string };
}
