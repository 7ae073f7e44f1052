import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that grow by rows which mostly refer to a run that their statement names again and again. */
const TABLES = ['run_events', 'messages'];

/**
 * Entries of the run log and messages refer to their run by triggers that promise what the foreign keys promised. A
 * foreign key is checked row by row, by a query each; a trigger sees the rows of a statement at once and looks
 * for each of their runs once. A run that is being deleted is waited for, and one that is referred to stays until the end of the
 * transaction, as with a foreign key.
 *
 * What a run takes along is deleted run by run, in the owner's name, since nobody else may delete here; by itself the owner
 * still reaches no row.
 */
export class ReferByStatement1795911300000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE FUNCTION refer_to_runs() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM (SELECT DISTINCT tenant_id, run_id FROM added) AS a
          WHERE NOT EXISTS (SELECT FROM public.runs r WHERE r.tenant_id = a.tenant_id AND r.id = a.run_id FOR KEY SHARE))
        THEN
          RAISE EXCEPTION 'a row of % refers to a run that is not there', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
        END IF;
        RETURN NULL;
      END $$;
      CREATE FUNCTION take_along() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path TO 'pg_catalog', 'public' AS $$
      BEGIN
        ${TABLES.map((table) => `DELETE FROM public.${table} WHERE tenant_id = OLD.tenant_id AND run_id = OLD.id;`).join('\n        ')}
        RETURN NULL;
      END $$;
      REVOKE ALL ON FUNCTION take_along() FROM PUBLIC;
    `);
    for (const table of TABLES) {
      await db.query(`
        CREATE POLICY leaving ON ${table} FOR DELETE TO agentflow_owner USING (pg_trigger_depth() > 0);
        CREATE POLICY leaving_seen ON ${table} FOR SELECT TO agentflow_owner USING (pg_trigger_depth() > 0);
        CREATE TRIGGER fk_${table}_run AFTER INSERT ON ${table} REFERENCING NEW TABLE AS added
          FOR EACH STATEMENT EXECUTE FUNCTION refer_to_runs();
        ALTER TABLE ${table} DROP CONSTRAINT fk_${table}_run;
      `);
    }
    await db.query(`
      CREATE TRIGGER runs_take_along AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION take_along();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await db.query(`
        ALTER TABLE ${table} ADD CONSTRAINT fk_${table}_run
          FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE;
        DROP TRIGGER fk_${table}_run ON ${table};
        DROP POLICY leaving_seen ON ${table};
        DROP POLICY leaving ON ${table};
      `);
    }
    await db.query(`
      DROP TRIGGER runs_take_along ON runs;
      DROP FUNCTION take_along();
      DROP FUNCTION refer_to_runs();
    `);
  }
}
