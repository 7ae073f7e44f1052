import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the cost of a step comes from. Until now each was reported. */
export class AddCostSource1795910640000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE steps ADD COLUMN cost_source text;
      -- Rewriting the column reaches the rows of all tenants; row security would hide them from an UPDATE.
      ALTER TABLE steps
        ALTER COLUMN cost_source TYPE text USING CASE WHEN cost_usd IS NOT NULL THEN 'reported' END;
      ALTER TABLE steps ADD CONSTRAINT ck_steps_cost_source
        CHECK (cost_source IN ('reported', 'computed', 'override') AND (cost_source IS NULL) = (cost_usd IS NULL));

      GRANT UPDATE (cost_source) ON steps TO agentflow_app;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE steps DROP CONSTRAINT ck_steps_cost_source;
      ALTER TABLE steps DROP COLUMN cost_source;
    `);
  }
}
