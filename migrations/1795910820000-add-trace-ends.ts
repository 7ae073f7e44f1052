import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What other reporters say of a run comes in pieces, and the last piece may move its end and name its agent: as long as
 * nobody here has decided either, both follow. What each report speaks of is kept beside it, so that those that matter
 * to a new one are found among many.
 */
export class AddTraceEnds1795910820000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs ADD COLUMN ended_by_trace boolean NOT NULL DEFAULT false;
      GRANT UPDATE (ended_by_trace) ON runs TO agentflow_app;

      ALTER TABLE received_reports
        ADD COLUMN speaks_of_run boolean NOT NULL DEFAULT false,
        ADD COLUMN about jsonb NOT NULL DEFAULT '[]';

      ${guard('OLD.announced AND NOT OLD.from_trace', TRACE_ENDS)}
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ${guard('OLD.announced', '')}
      ALTER TABLE received_reports DROP COLUMN about, DROP COLUMN speaks_of_run;
      ALTER TABLE runs DROP COLUMN ended_by_trace;
    `);
  }
}

const TRACE_ENDS = `
        IF OLD.ended_by_trace AND (NEW.ended_by_trace OR NEW.ended_at IS NULL) THEN
          RETURN NEW;
        END IF;`;

/** Nothing leaves a final state, unless that was only presumed, or said by a trace of which more has come. */
function guard(isSettled: string, exception: string): string {
  return `
    CREATE OR REPLACE FUNCTION guard_run() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (OLD.tenant_id, OLD.id, OLD.created_at) IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.created_at)
          OR ${isSettled} AND (OLD.project_id, OLD.agent_id, OLD.agent_version)
            IS DISTINCT FROM (NEW.project_id, NEW.agent_id, NEW.agent_version) THEN
          RAISE EXCEPTION 'a run keeps its tenant, project, agent and version' USING ERRCODE = 'restrict_violation';
        END IF;
        IF OLD.from_trace AND OLD.status = 'failed' AND OLD.error_type = 'trace_incomplete' THEN
          RETURN NEW;
        END IF;${exception}
        IF OLD.status IS DISTINCT FROM NEW.status AND (OLD.status, NEW.status) NOT IN (
          ('pending', 'running'), ('pending', 'cancelled'),
          ('running', 'waiting_human'), ('running', 'succeeded'), ('running', 'failed'), ('running', 'cancelled'),
          ('waiting_human', 'running'), ('waiting_human', 'cancelled')) THEN
          RAISE EXCEPTION 'a run does not move from % to %', OLD.status, NEW.status
            USING ERRCODE = 'restrict_violation';
        END IF;
        IF OLD.ended_at IS NOT NULL AND OLD.ended_at IS DISTINCT FROM NEW.ended_at THEN
          RAISE EXCEPTION 'a run ends once' USING ERRCODE = 'restrict_violation';
        END IF;
        RETURN NEW;
      END $$;`;
}
