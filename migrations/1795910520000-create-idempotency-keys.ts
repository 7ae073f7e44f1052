import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The answers of requests that carried an `Idempotency-Key`, written in the transaction of their effect. */
export class CreateIdempotencyKeys1795910520000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE idempotency_keys (
        tenant_id uuid NOT NULL,
        scope_id uuid NOT NULL,
        key text NOT NULL,
        method text NOT NULL,
        route text NOT NULL,
        request_digest bytea NOT NULL,
        status smallint,
        response json,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_idempotency_keys PRIMARY KEY (tenant_id, scope_id, key),
        CONSTRAINT ck_idempotency_keys_key CHECK (char_length(key) BETWEEN 1 AND 255),
        CONSTRAINT ck_idempotency_keys_digest CHECK (octet_length(request_digest) = 32)
      );
      CREATE INDEX ix_idempotency_keys_created_at ON idempotency_keys (created_at);

      ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
      ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON idempotency_keys TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      -- A key belongs to the scope that sent it: an organization, a project or an agent.
      CREATE POLICY scope ON idempotency_keys AS RESTRICTIVE TO agentflow_app
        USING (scope_id = CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN tenant_id
          WHEN 'project' THEN nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN nullif(current_setting('agentflow.agent_id', true), '')::uuid END);
      CREATE POLICY worker ON idempotency_keys TO agentflow_worker USING (true);

      GRANT SELECT, INSERT ON idempotency_keys TO agentflow_app;
      GRANT UPDATE (method, route, request_digest, status, response, created_at) ON idempotency_keys TO agentflow_app;
      GRANT SELECT, DELETE ON idempotency_keys TO agentflow_worker;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query('DROP TABLE idempotency_keys');
  }
}
