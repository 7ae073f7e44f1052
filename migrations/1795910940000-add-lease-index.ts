import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Leases that run out: the worker looks for them every second, and must not read a run that has none. The index holds
 * the runs that somebody works on under a lease at this moment, and no other.
 */
export class AddLeaseIndex1795910940000 implements MigrationInterface {
  /** Concurrent indexes are built outside a transaction; what a build that broke off has left behind goes first. */
  readonly transaction = false;

  async up(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX CONCURRENTLY IF EXISTS ix_runs_leases');
    await db.query(`
      CREATE INDEX CONCURRENTLY ix_runs_leases ON runs (lease_expires_at)
        WHERE status = 'running' AND lease_expires_at IS NOT NULL`);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP INDEX IF EXISTS ix_runs_leases');
  }
}
