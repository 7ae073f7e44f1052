import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Runs that other reporters began, whose end may never come. What the worker needs to fail them: it ends runs of one
 * tenant at a time, and reads no payload below them. An end that was presumed gives way to what is heard after all.
 */
export class AddPresumedEnds1795910760000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs ADD COLUMN from_trace boolean NOT NULL DEFAULT false;
      -- Nothing in it changes while a run is open, so that counting its totals on touches no index.
      CREATE INDEX ix_runs_open_traces ON runs (created_at) WHERE from_trace AND status = 'running';
      GRANT UPDATE (from_trace) ON runs TO agentflow_app;

      GRANT SELECT (received_at) ON received_reports TO agentflow_worker;
      GRANT UPDATE (status, output, error, error_type, ended_at, lease_expires_at, last_move, waiting_for, last_event_seq,
        failed_steps, failed_tool_calls, updated_at) ON runs TO agentflow_worker;
      GRANT SELECT (tenant_id, run_id, id, index, node, status, parent_step_id, error_type, latency_ms, metadata,
          started_at, ended_at),
        UPDATE (status, error_type, latency_ms, metadata, ended_at, updated_at) ON steps TO agentflow_worker;
      GRANT UPDATE (status, error_type, latency_ms, metadata, ended_at, updated_at) ON tool_calls TO agentflow_worker;
      GRANT INSERT ON run_events TO agentflow_worker;
      CREATE POLICY ending ON runs AS RESTRICTIVE FOR UPDATE TO agentflow_worker USING (${OF_TENANT});
      CREATE POLICY ending ON tool_calls AS RESTRICTIVE FOR UPDATE TO agentflow_worker USING (${OF_TENANT});
      CREATE POLICY worker ON steps TO agentflow_worker USING (${OF_TENANT});
      CREATE POLICY worker ON run_events FOR INSERT TO agentflow_worker WITH CHECK (${OF_TENANT});

      ${guard(PRESUMED)}
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ${guard('')}
      DROP POLICY worker ON run_events;
      DROP POLICY worker ON steps;
      DROP POLICY ending ON tool_calls;
      DROP POLICY ending ON runs;
      REVOKE ALL ON run_events FROM agentflow_worker;
      REVOKE ALL ON steps FROM agentflow_worker;
      REVOKE UPDATE (status, error_type, latency_ms, metadata, ended_at, updated_at) ON tool_calls FROM agentflow_worker;
      REVOKE UPDATE (status, output, error, error_type, ended_at, lease_expires_at, last_move, waiting_for, last_event_seq,
        failed_steps, failed_tool_calls, updated_at) ON runs FROM agentflow_worker;
      REVOKE SELECT (received_at) ON received_reports FROM agentflow_worker;
      ALTER TABLE runs DROP COLUMN from_trace;
    `);
  }
}

const OF_TENANT = `tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid`;

const PRESUMED = `
        IF OLD.from_trace AND OLD.status = 'failed' AND OLD.error_type = 'trace_incomplete' THEN
          RETURN NEW;
        END IF;`;

/** Nothing leaves a final state, unless that was only presumed. */
function guard(exception: string): string {
  return `
    CREATE OR REPLACE FUNCTION guard_run() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (OLD.tenant_id, OLD.id, OLD.created_at) IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.created_at)
          OR OLD.announced AND (OLD.project_id, OLD.agent_id, OLD.agent_version)
            IS DISTINCT FROM (NEW.project_id, NEW.agent_id, NEW.agent_version) THEN
          RAISE EXCEPTION 'a run keeps its tenant, project, agent and version' USING ERRCODE = 'restrict_violation';
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
