import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The place of an event among those of all runs: the transaction that wrote it, or the later one that an earlier event of
 * its run was written by. A run keeps the latest it has seen, for the events of one run are in the order of their numbers
 * whatever their transactions are numbered. What was there before comes first.
 *
 * The index holds a transaction once, whatever number of events it wrote.
 */
export class AddEventOrder1795911120000 implements MigrationInterface {
  /** Concurrent indexes are built outside a transaction; what a build that broke off has left behind goes first. */
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs ADD COLUMN IF NOT EXISTS last_event_xid bigint NOT NULL DEFAULT 0;
      ALTER TABLE run_events ADD COLUMN IF NOT EXISTS xid bigint NOT NULL DEFAULT 0;
      ALTER TABLE run_events ALTER COLUMN xid SET DEFAULT pg_current_xact_id()::text::bigint;
      GRANT UPDATE (last_event_xid) ON runs TO agentflow_app, agentflow_worker;
    `);
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_run_events_xid');
    await db.query('CREATE INDEX CONCURRENTLY ix_run_events_xid ON run_events (tenant_id, xid)');
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      REVOKE UPDATE (last_event_xid) ON runs FROM agentflow_app, agentflow_worker;
      ALTER TABLE run_events DROP COLUMN xid;
      ALTER TABLE runs DROP COLUMN last_event_xid;
    `);
  }
}
