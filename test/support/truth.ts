import pg from 'pg';
import type { TestDatabase } from './database.js';

/** One entry of a run's log, as it is stored. */
export interface LoggedEvent {
  readonly seq: number;
  readonly type: string;
  readonly entity_id: string;
  readonly data: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into rows freely
}

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into rows freely

/** What a database really holds, past every scope; for what no answer shows, and for ageing what is stored. */
export interface Truth {
  query(text: string, values?: unknown[]): Promise<Row[]>;
  /** A run's whole row, as text that can be compared. */
  run(id: string): Promise<string | undefined>;
  events(runId: string): Promise<LoggedEvent[]>;
  /** The types of a run's events, in their order. */
  told(runId: string): Promise<string[]>;
  /** Lets a run have ended so many seconds ago, which the guard of the table would refuse. */
  endedBefore(runId: string, seconds: number): Promise<void>;
  /** Lets so many seconds have gone by since anything was received of a run. */
  silentFor(runId: string, seconds: number): Promise<void>;
  /** How many rows of a table there are under a condition. */
  count(table: string, where: string, values: unknown[]): Promise<number>;
  close(): Promise<void>;
}

/** Looks into a test's database as a superuser, on a few connections of its own. */
export function theTruth(database: Pick<TestDatabase, 'adminUrl'>): Truth {
  const pool = new pg.Pool({ connectionString: database.adminUrl, max: 4 });
  const query: Truth['query'] = async (text, values) => (await pool.query(text, values)).rows as Row[];
  const events: Truth['events'] = (runId) =>
    query('SELECT seq::integer, type, entity_id, data FROM run_events WHERE run_id = $1 ORDER BY seq', [
      runId,
    ]);
  return {
    query,
    events,
    run: async (id) =>
      (await query('SELECT to_jsonb(runs)::text AS row FROM runs WHERE id = $1', [id]))[0]?.row,
    told: async (runId) => (await events(runId)).map(({ type }) => type),
    endedBefore: async (runId, seconds) => {
      await query(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE runs SET ended_at = now() - make_interval(secs => ${Number(seconds)})
        WHERE id = ${pg.escapeLiteral(runId)}; COMMIT`);
    },
    silentFor: async (runId, seconds) => {
      const ago = `now() - make_interval(secs => ${Number(seconds)})`;
      const id = pg.escapeLiteral(runId);
      await query(`BEGIN; SET LOCAL session_replication_role = replica;
        UPDATE runs SET created_at = least(created_at, ${ago}), updated_at = ${ago} WHERE id = ${id};
        UPDATE received_reports SET received_at = ${ago} WHERE run_id = ${id}; COMMIT`);
    },
    count: async (table, where, values) =>
      (await query(`SELECT count(*)::integer AS count FROM ${table} WHERE ${where}`, values))[0].count,
    close: () => pool.end(),
  };
}
