import type { Pool, PoolClient } from 'pg';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { TestApi } from '../api.js';
import { aDatabase, connected, type TestDatabase } from '../database.js';
import { readPlan, type Plan } from './plan.js';

/** What Postgres' own module does with every statement: it tells the client by which plan it was carried out. */
const EXPLAINED = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_timing': 'off',
  'auto_explain.log_buffers': 'on',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
};

/** A database whose sessions tell the plan of every statement; further settings are those of its sessions. */
export async function anExplainedDatabase(settings: Record<string, string> = {}): Promise<TestDatabase> {
  const database = await aDatabase();
  await connected(database.adminUrl, async (client) => {
    for (const [name, value] of Object.entries({ ...EXPLAINED, ...settings })) {
      await client.query(`ALTER DATABASE ${database.name} SET ${name} = '${value}'`);
    }
  });
  return database;
}

/**
 * The same database, where statements are always planned for their values (`custom`) or always for any values
 * (`generic`). Postgres itself goes from one to the other after some executions, as its estimates compare.
 */
export function planning(database: TestDatabase, mode: 'custom' | 'generic'): TestDatabase {
  const url = new URL(database.appUrl);
  url.searchParams.set('options', `-c plan_cache_mode=force_${mode}_plan`);
  return { ...database, appUrl: url.href };
}

export interface PlanRecorder {
  /** The plans of all statements that were carried out meanwhile, in their order. */
  during(work: () => Promise<unknown>): Promise<Plan[]>;
}

/** Hears the plans of what an api asks of its explained database: its own statements, in its role and scope. */
export function aPlanRecorder(api: Pick<TestApi, 'connected'>): PlanRecorder {
  const pool = (api.connected.dataSource.driver as PostgresDriver).master as Pool;
  const heard = new WeakSet<PoolClient>();
  let plans: Plan[] = [];
  pool.on('acquire', (client) => {
    if (heard.has(client)) return;
    heard.add(client);
    client.on('notice', ({ message }) => {
      const json = /^duration: \S+ ms {2}plan:\n([^]*)$/.exec(message ?? '')?.[1];
      if (json !== undefined) plans.push(readPlan(json));
    });
  });
  return {
    during: async (work) => {
      plans = [];
      await work();
      return plans;
    },
  };
}
