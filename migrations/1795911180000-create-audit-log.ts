import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT = `tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid`;

/**
 * Who did what to what, and when. A row outlives what it tells of, whose deletion is among what it tells: so it refers to
 * nothing by a foreign key, and nothing that is deleted takes it along. Nobody changes it or removes it; whoever owns the
 * database can lift the trigger for that, and then it was no part of the product.
 */
export class CreateAuditLog1795911180000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE audit_log (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        at timestamptz NOT NULL DEFAULT now(),
        actor text NOT NULL,
        key_id uuid,
        key_public_id text,
        key_name text,
        key_role text,
        action text NOT NULL,
        entity_type text NOT NULL,
        entity_id uuid NOT NULL,
        project_id uuid,
        agent_id uuid,
        before jsonb,
        after jsonb,
        request_id uuid,
        CONSTRAINT ck_audit_log_actor CHECK (actor IN ('key', 'root', 'system')),
        CONSTRAINT ck_audit_log_key CHECK ((key_id IS NOT NULL) = (actor = 'key')),
        CONSTRAINT ck_audit_log_entity_type CHECK (entity_type = split_part(action, '.', 1))
      );
      CREATE INDEX ix_audit_log_at ON audit_log (tenant_id, at DESC, id DESC);
      CREATE INDEX ix_audit_log_project ON audit_log (tenant_id, project_id, at DESC, id DESC)
        WHERE project_id IS NOT NULL;
      CREATE INDEX ix_audit_log_agent ON audit_log (tenant_id, agent_id, at DESC, id DESC) WHERE agent_id IS NOT NULL;
      CREATE INDEX ix_audit_log_entity ON audit_log (tenant_id, entity_id, at DESC, id DESC);
      CREATE INDEX ix_audit_log_action ON audit_log (tenant_id, action, at DESC, id DESC);
      CREATE INDEX ix_audit_log_key ON audit_log (tenant_id, key_id, at DESC, id DESC) WHERE key_id IS NOT NULL;
      ALTER TABLE audit_log ADD CONSTRAINT pk_audit_log PRIMARY KEY (tenant_id, id);

      CREATE TRIGGER audit_log_immutable BEFORE UPDATE OR DELETE ON audit_log
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `);

    await db.query(`
      ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
      ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON audit_log TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON audit_log AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);
      GRANT SELECT, INSERT ON audit_log TO agentflow_app;

      -- The worker tells what it did, in the organization that it is at work for, and reads nothing.
      CREATE POLICY worker ON audit_log FOR INSERT TO agentflow_worker WITH CHECK (${TENANT});
      GRANT INSERT ON audit_log TO agentflow_worker;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE audit_log');
  }
}
