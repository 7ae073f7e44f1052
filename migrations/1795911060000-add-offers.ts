import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Runs that wait to be picked up, and what whoever picks up a retry or a fork is to be given of its source. */
export class AddOffers1795911060000 implements MigrationInterface {
  /** Concurrent indexes are built outside a transaction; what a build that broke off has left behind goes first. */
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('ALTER TABLE runs ADD COLUMN IF NOT EXISTS reuse text');
    await db.query('ALTER TABLE runs DROP CONSTRAINT IF EXISTS ck_runs_reuse');
    await db.query(`
      ALTER TABLE runs ADD CONSTRAINT ck_runs_reuse CHECK (reuse IN ('recorded_tool_results')) NOT VALID`);
    await db.query('ALTER TABLE runs VALIDATE CONSTRAINT ck_runs_reuse');
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_runs_offered');
    await db.query(`
      CREATE INDEX CONCURRENTLY ix_runs_offered ON runs (tenant_id, agent_id, created_at, id)
        WHERE status = 'pending' AND lease_token IS NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_runs_offered');
    await db.query('ALTER TABLE runs DROP COLUMN reuse');
  }
}
