import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT = `tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid`;
const PROJECT = `project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid`;
const AGENT = `agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid`;

/**
 * What is to be done to many runs, and how far it has come. The scope is that of the key that asked, and a row is seen by
 * whoever sees all of that scope.
 *
 * A worker does it in the scope of that key: row security holds it there, as it holds the api. What it makes is copies of
 * runs, so it may write runs now, and read which versions an agent has and whether a key still counts.
 */
export class CreateBulkActions1795911240000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE bulk_actions (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        scope text NOT NULL,
        project_id uuid,
        agent_id uuid,
        action text NOT NULL,
        ids uuid[],
        filter jsonb,
        reason text,
        force boolean NOT NULL DEFAULT false,
        reuse text,
        created_by uuid NOT NULL,
        status text NOT NULL DEFAULT 'pending',
        cancel_reason text,
        after_created_at timestamptz NOT NULL DEFAULT now(),
        after_id uuid NOT NULL,
        done integer NOT NULL DEFAULT 0,
        failed integer NOT NULL DEFAULT 0,
        skipped jsonb NOT NULL DEFAULT '{}',
        errors jsonb NOT NULL DEFAULT '[]',
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_bulk_actions_organization FOREIGN KEY (tenant_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT fk_bulk_actions_project FOREIGN KEY (tenant_id, project_id)
          REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_bulk_actions_agent FOREIGN KEY (tenant_id, agent_id)
          REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_bulk_actions_scope CHECK (CASE scope
          WHEN 'organization' THEN project_id IS NULL AND agent_id IS NULL
          WHEN 'project' THEN project_id IS NOT NULL AND agent_id IS NULL
          WHEN 'agent' THEN project_id IS NOT NULL AND agent_id IS NOT NULL
          ELSE false END),
        CONSTRAINT ck_bulk_actions_action CHECK (action IN ('cancel', 'delete', 'retry')),
        CONSTRAINT ck_bulk_actions_selection CHECK ((ids IS NULL) <> (filter IS NULL)),
        CONSTRAINT ck_bulk_actions_filter CHECK (jsonb_typeof(filter) = 'object'),
        CONSTRAINT ck_bulk_actions_reuse CHECK (reuse IN ('none', 'recorded_tool_results')),
        CONSTRAINT ck_bulk_actions_status CHECK (status IN ('pending', 'running', 'succeeded', 'failed', 'cancelled')),
        CONSTRAINT ck_bulk_actions_cancel_reason CHECK (cancel_reason IN ('requested', 'key_revoked')),
        CONSTRAINT ck_bulk_actions_cancelled CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
        CONSTRAINT ck_bulk_actions_ended_at CHECK
          ((ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'cancelled'))),
        CONSTRAINT ck_bulk_actions_skipped CHECK (jsonb_typeof(skipped) = 'object'),
        CONSTRAINT ck_bulk_actions_errors CHECK (jsonb_typeof(errors) = 'array')
      );
      CREATE INDEX ix_bulk_actions_tenant ON bulk_actions (tenant_id, created_at DESC, id DESC);
      CREATE INDEX ix_bulk_actions_project ON bulk_actions (tenant_id, project_id, created_at DESC, id DESC)
        WHERE project_id IS NOT NULL;
      CREATE INDEX ix_bulk_actions_agent ON bulk_actions (tenant_id, agent_id, created_at DESC, id DESC)
        WHERE agent_id IS NOT NULL;
      CREATE INDEX ix_bulk_actions_open ON bulk_actions (updated_at) WHERE status IN ('pending', 'running');
      ALTER TABLE bulk_actions ADD CONSTRAINT pk_bulk_actions PRIMARY KEY (tenant_id, id);

      -- The last guard: what has ended is not taken up again.
      CREATE FUNCTION guard_bulk_action() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'a bulk action ends once' USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER bulk_actions_end_once BEFORE UPDATE ON bulk_actions
        FOR EACH ROW WHEN (OLD.ended_at IS NOT NULL) EXECUTE FUNCTION guard_bulk_action();
    `);

    await db.query(`
      ALTER TABLE bulk_actions ENABLE ROW LEVEL SECURITY;
      ALTER TABLE bulk_actions FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON bulk_actions TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON bulk_actions AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN ${PROJECT}
          WHEN 'agent' THEN ${AGENT}
          ELSE false END);
      GRANT SELECT, INSERT ON bulk_actions TO agentflow_app;
      GRANT UPDATE (status, cancel_reason, ended_at, updated_at) ON bulk_actions TO agentflow_app;

      -- The worker finds what is open for every tenant, and does one at a time.
      CREATE POLICY worker ON bulk_actions TO agentflow_worker USING (true);
      CREATE POLICY doing ON bulk_actions AS RESTRICTIVE FOR UPDATE TO agentflow_worker USING (${TENANT});
      GRANT SELECT ON bulk_actions TO agentflow_worker;
      GRANT UPDATE (status, cancel_reason, after_created_at, after_id, done, failed, skipped, errors, started_at,
        ended_at, updated_at) ON bulk_actions TO agentflow_worker;
    `);

    await db.query(`
      -- Within a scope the worker sees no more runs than the key whose work it does; outside, it finds what is due.
      CREATE POLICY work ON runs AS RESTRICTIVE TO agentflow_worker
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN ${TENANT}
          WHEN 'project' THEN ${TENANT} AND ${PROJECT}
          WHEN 'agent' THEN ${TENANT} AND ${AGENT}
          ELSE true END);
      CREATE POLICY copying ON runs AS RESTRICTIVE FOR INSERT TO agentflow_worker WITH CHECK (${TENANT});
      GRANT INSERT ON runs TO agentflow_worker;

      CREATE POLICY worker ON agent_versions FOR SELECT TO agentflow_worker USING (${TENANT});
      GRANT SELECT (tenant_id, agent_id, version, adapter) ON agent_versions TO agentflow_worker;

      CREATE POLICY worker ON api_keys FOR SELECT TO agentflow_worker USING (${TENANT});
      GRANT SELECT (tenant_id, id, public_id, name, role, expires_at, revoked_at, grace_until) ON api_keys
        TO agentflow_worker;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      REVOKE SELECT (tenant_id, id, public_id, name, role, expires_at, revoked_at, grace_until) ON api_keys
        FROM agentflow_worker;
      DROP POLICY worker ON api_keys;
      REVOKE SELECT (tenant_id, agent_id, version, adapter) ON agent_versions FROM agentflow_worker;
      DROP POLICY worker ON agent_versions;
      REVOKE INSERT ON runs FROM agentflow_worker;
      DROP POLICY copying ON runs;
      DROP POLICY work ON runs;
      DROP TABLE bulk_actions;
      DROP FUNCTION guard_bulk_action();
    `);
  }
}
