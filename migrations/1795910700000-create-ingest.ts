import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What reports in any order need: rows that were heard of before they were announced, which report said what, and the
 * reports of other reporters as they came in.
 */
export class CreateIngest1795910700000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs
        ADD COLUMN announced boolean NOT NULL DEFAULT true,
        ADD COLUMN moved_at timestamptz;
      ALTER TABLE steps
        ADD COLUMN announced boolean NOT NULL DEFAULT true,
        ADD COLUMN settled integer NOT NULL DEFAULT 0,
        ADD COLUMN said jsonb;
      ALTER TABLE tool_calls ADD COLUMN announced boolean NOT NULL DEFAULT true;
      ALTER TABLE messages ADD COLUMN at timestamptz;
      ALTER TABLE checkpoints ADD COLUMN at timestamptz;

      GRANT UPDATE (project_id, agent_id, agent_version, adapter, name, input, metadata, tags, session_id, external_id,
        parent_run_id, origin, announced, moved_at) ON runs TO agentflow_app;
      GRANT UPDATE (node, kind, parent_step_id, input, agent_role, tier, external_id, announced, settled, said)
        ON steps TO agentflow_app;
      GRANT UPDATE (agent_id, step_id, name, arguments, provider_call_id, announced) ON tool_calls TO agentflow_app;

      CREATE TABLE received_reports (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        id uuid NOT NULL,
        dialect text NOT NULL,
        mapping_version integer NOT NULL,
        body bytea NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT ck_received_reports_dialect CHECK (dialect ~ '^[a-z0-9._-]{1,64}$'),
        CONSTRAINT fk_received_reports_run FOREIGN KEY (tenant_id, run_id)
          REFERENCES runs (tenant_id, id) ON DELETE CASCADE
      );
      ALTER TABLE received_reports ADD CONSTRAINT pk_received_reports PRIMARY KEY (tenant_id, run_id, id);
      -- It comes compressed, or is read whole: Postgres would spend its time on it for nothing.
      ALTER TABLE received_reports ALTER COLUMN body SET STORAGE EXTERNAL;

      ALTER TABLE received_reports ENABLE ROW LEVEL SECURITY;
      ALTER TABLE received_reports FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON received_reports TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      CREATE POLICY scope ON received_reports AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true) WHEN 'organization' THEN true ELSE EXISTS (
          SELECT FROM runs WHERE runs.tenant_id = received_reports.tenant_id AND runs.id = received_reports.run_id
          OFFSET 0) END)
        WITH CHECK (CASE WHEN current_setting('agentflow.scope', true) = 'organization' THEN true
          WHEN EXISTS (SELECT FROM runs
            WHERE runs.tenant_id = received_reports.tenant_id AND runs.id = received_reports.run_id OFFSET 0) THEN true
          ELSE sees_run(tenant_id, run_id) END);
      CREATE POLICY worker ON received_reports TO agentflow_worker USING (true);
      GRANT SELECT, INSERT, UPDATE (mapping_version) ON received_reports TO agentflow_app;
      GRANT SELECT (tenant_id, run_id, dialect, mapping_version) ON received_reports TO agentflow_worker;

      ${guard('OLD.announced AND')}
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ${guard('')}
      DROP TABLE received_reports;
      REVOKE UPDATE (project_id, agent_id, agent_version, adapter, name, input, metadata, tags, session_id, external_id,
        parent_run_id, origin) ON runs FROM agentflow_app;
      REVOKE UPDATE (node, kind, parent_step_id, input, agent_role, tier, external_id) ON steps FROM agentflow_app;
      REVOKE UPDATE (agent_id, step_id, name, arguments, provider_call_id) ON tool_calls FROM agentflow_app;
      ALTER TABLE checkpoints DROP COLUMN at;
      ALTER TABLE messages DROP COLUMN at;
      ALTER TABLE tool_calls DROP COLUMN announced;
      ALTER TABLE steps DROP COLUMN announced, DROP COLUMN settled, DROP COLUMN said;
      ALTER TABLE runs DROP COLUMN announced, DROP COLUMN moved_at;
    `);
  }
}

/** A run that was only heard of has no owner of its own yet: its announcement says whose it is. */
function guard(condition: string): string {
  return `
    CREATE OR REPLACE FUNCTION guard_run() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (OLD.tenant_id, OLD.id, OLD.created_at) IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.created_at)
          OR ${condition} (OLD.project_id, OLD.agent_id, OLD.agent_version)
            IS DISTINCT FROM (NEW.project_id, NEW.agent_id, NEW.agent_version) THEN
          RAISE EXCEPTION 'a run keeps its tenant, project, agent and version' USING ERRCODE = 'restrict_violation';
        END IF;
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
