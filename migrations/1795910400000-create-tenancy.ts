import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who owns what: organizations (the tenants), projects, agents with their immutable versions, and API keys.
 *
 * Every table of a tenant leads with `tenant_id`, and every foreign key contains it, so that a reference into
 * another tenant is impossible. Row-level security is forced: the api's role sees the rows of the scope that
 * its transaction has announced, and nothing when it has announced none.
 *
 * A primary key comes after the table's other indexes: of those that cost the same the planner takes the newest, on an
 * empty table all cost the same, and a plan that is kept from then on would read all of a tenant's rows to find one.
 */
export class CreateTenancy1795910400000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE organizations (
        id uuid NOT NULL,
        slug text NOT NULL,
        name text NOT NULL,
        settings jsonb NOT NULL DEFAULT '{}',
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_organizations PRIMARY KEY (id),
        CONSTRAINT uq_organizations_slug UNIQUE (slug),
        CONSTRAINT ck_organizations_slug CHECK (slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'),
        CONSTRAINT ck_organizations_name CHECK (char_length(name) BETWEEN 1 AND 128)
      );

      CREATE TABLE projects (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        name text NOT NULL,
        description text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT uq_projects_tenant_name UNIQUE (tenant_id, name),
        CONSTRAINT fk_projects_organization FOREIGN KEY (tenant_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT ck_projects_name CHECK (char_length(name) BETWEEN 1 AND 128),
        CONSTRAINT ck_projects_description CHECK (char_length(description) <= 1024)
      );
      CREATE INDEX ix_projects_tenant_id ON projects (tenant_id, created_at DESC, id DESC);
      ALTER TABLE projects ADD CONSTRAINT pk_projects PRIMARY KEY (tenant_id, id);

      CREATE TABLE agents (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        project_id uuid NOT NULL,
        name text NOT NULL,
        description text,
        adapter text NOT NULL,
        config jsonb NOT NULL DEFAULT '{}',
        version integer NOT NULL DEFAULT 1,
        deleting_since timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_agents_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
        CONSTRAINT ck_agents_name CHECK (char_length(name) BETWEEN 1 AND 128),
        CONSTRAINT ck_agents_description CHECK (char_length(description) <= 1024),
        CONSTRAINT ck_agents_adapter CHECK (adapter ~ '^[a-z0-9._-]{1,64}$'),
        CONSTRAINT ck_agents_config CHECK (jsonb_typeof(config) = 'object'),
        CONSTRAINT ck_agents_version CHECK (version >= 1)
      );
      -- A name is free again as soon as the deletion of its agent has begun.
      CREATE UNIQUE INDEX uq_agents_tenant_name ON agents (tenant_id, name) WHERE deleting_since IS NULL;
      CREATE INDEX ix_agents_tenant_id ON agents (tenant_id, created_at DESC, id DESC);
      CREATE INDEX ix_agents_project_id ON agents (tenant_id, project_id, created_at DESC, id DESC);
      CREATE INDEX ix_agents_deleting ON agents (deleting_since) WHERE deleting_since IS NOT NULL;
      ALTER TABLE agents ADD CONSTRAINT pk_agents PRIMARY KEY (tenant_id, id);

      CREATE TABLE agent_versions (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        agent_id uuid NOT NULL,
        version integer NOT NULL,
        adapter text NOT NULL,
        config jsonb NOT NULL,
        description text,
        note text,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_agent_versions_agent FOREIGN KEY (tenant_id, agent_id)
          REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_agent_versions_note CHECK (char_length(note) <= 512)
      );
      CREATE UNIQUE INDEX uq_agent_versions_agent_version ON agent_versions (tenant_id, agent_id, version);
      CREATE INDEX ix_agent_versions_agent_id ON agent_versions (tenant_id, agent_id, version DESC);
      ALTER TABLE agent_versions ADD CONSTRAINT pk_agent_versions PRIMARY KEY (tenant_id, id);

      CREATE TABLE api_keys (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        scope text NOT NULL,
        project_id uuid,
        agent_id uuid,
        role text NOT NULL,
        name text NOT NULL,
        public_id text NOT NULL,
        hint text NOT NULL,
        digest bytea NOT NULL,
        expires_at timestamptz,
        revoked_at timestamptz,
        rotated_from uuid,
        grace_until timestamptz,
        created_by uuid,
        last_used_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT uq_api_keys_public_id UNIQUE (public_id),
        CONSTRAINT fk_api_keys_organization FOREIGN KEY (tenant_id) REFERENCES organizations (id) ON DELETE CASCADE,
        CONSTRAINT fk_api_keys_project FOREIGN KEY (tenant_id, project_id)
          REFERENCES projects (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_api_keys_agent FOREIGN KEY (tenant_id, agent_id)
          REFERENCES agents (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_api_keys_role CHECK (role IN ('viewer', 'reporter', 'operator', 'admin')),
        CONSTRAINT ck_api_keys_name CHECK (char_length(name) BETWEEN 1 AND 128),
        CONSTRAINT ck_api_keys_digest CHECK (octet_length(digest) = 32),
        CONSTRAINT ck_api_keys_scope CHECK (CASE scope
          WHEN 'organization' THEN project_id IS NULL AND agent_id IS NULL
          WHEN 'project' THEN project_id IS NOT NULL AND agent_id IS NULL
          WHEN 'agent' THEN project_id IS NOT NULL AND agent_id IS NOT NULL
          ELSE false END)
      );
      CREATE INDEX ix_api_keys_tenant_id ON api_keys (tenant_id, created_at DESC, id DESC);
      CREATE INDEX ix_api_keys_created_by ON api_keys (tenant_id, created_by) WHERE created_by IS NOT NULL;
      CREATE UNIQUE INDEX uq_api_keys_rotated_from ON api_keys (tenant_id, rotated_from) WHERE rotated_from IS NOT NULL;
      ALTER TABLE api_keys
        ADD CONSTRAINT pk_api_keys PRIMARY KEY (tenant_id, id),
        ADD CONSTRAINT fk_api_keys_rotated_from FOREIGN KEY (tenant_id, rotated_from) REFERENCES api_keys (tenant_id, id),
        ADD CONSTRAINT fk_api_keys_created_by FOREIGN KEY (tenant_id, created_by) REFERENCES api_keys (tenant_id, id);
    `);

    await db.query(`
      -- Refuses every change; a row goes only when the cascade of its parent's deletion takes it along.
      CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $$;

      CREATE TRIGGER agent_versions_immutable BEFORE UPDATE OR DELETE ON agent_versions
        FOR EACH ROW EXECUTE FUNCTION refuse_change();
      CREATE TRIGGER agent_versions_not_truncated BEFORE TRUNCATE ON agent_versions
        FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
    `);

    await db.query(`
      -- A statement's own view of the tables is older than what the same statement has just inserted; a volatile
      -- function's is not. Policies ask it last, only for rows whose parent they do not see: it costs three times
      -- as much as the sub-select, under row security all the same.
      CREATE FUNCTION sees_agent(tenant uuid, agent uuid, project uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM public.agents a
          WHERE a.tenant_id = tenant AND a.id = agent AND (project IS NULL OR a.project_id = project));
      END $$;

      ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
      ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON organizations TO agentflow_app
        USING (id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      -- Narrower scopes read the name of their organization and change nothing of it.
      CREATE POLICY scope ON organizations AS RESTRICTIVE FOR UPDATE TO agentflow_app
        USING (current_setting('agentflow.scope', true) = 'organization');

      ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
      ALTER TABLE projects FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON projects TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      CREATE POLICY scope ON projects AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          ELSE false END);

      ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
      ALTER TABLE agents FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON agents TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      CREATE POLICY scope ON agents AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);

      -- What belongs to an agent is visible exactly when the agent is: the sub-select is itself under row security.
      ALTER TABLE agent_versions ENABLE ROW LEVEL SECURITY;
      ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON agent_versions TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      CREATE POLICY scope ON agent_versions AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          ELSE EXISTS (SELECT FROM agents
            WHERE agents.tenant_id = agent_versions.tenant_id AND agents.id = agent_versions.agent_id OFFSET 0) END)
        WITH CHECK (CASE
          WHEN current_setting('agentflow.scope', true) = 'organization' THEN true
          WHEN EXISTS (SELECT FROM agents
            WHERE agents.tenant_id = agent_versions.tenant_id AND agents.id = agent_versions.agent_id OFFSET 0) THEN true
          ELSE sees_agent(tenant_id, agent_id, NULL) END);

      ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
      ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON api_keys TO agentflow_app
        USING (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid)
        WITH CHECK (tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid);
      CREATE POLICY scope ON api_keys AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);
      -- A project's key cannot be made out for a sibling's agent: foreign keys do not see scopes.
      CREATE POLICY pair ON api_keys AS RESTRICTIVE FOR INSERT TO agentflow_app
        WITH CHECK (agent_id IS NULL OR sees_agent(tenant_id, agent_id, project_id));
    `);

    await db.query(`
      GRANT SELECT, INSERT ON organizations TO agentflow_app;
      GRANT UPDATE (name, settings, updated_at) ON organizations TO agentflow_app;
      GRANT SELECT, INSERT, DELETE ON projects TO agentflow_app;
      GRANT UPDATE (name, description, updated_at) ON projects TO agentflow_app;
      GRANT SELECT, INSERT, DELETE ON agents TO agentflow_app;
      GRANT UPDATE (name, description, adapter, config, version, deleting_since, updated_at) ON agents TO agentflow_app;
      GRANT SELECT, INSERT ON agent_versions TO agentflow_app;
      GRANT SELECT (tenant_id, id, scope, project_id, agent_id, role, name, public_id, hint, expires_at, revoked_at,
        rotated_from, grace_until, created_by, last_used_at, created_at, updated_at) ON api_keys TO agentflow_app;
      GRANT INSERT ON api_keys TO agentflow_app;
      GRANT UPDATE (name, revoked_at, grace_until, updated_at) ON api_keys TO agentflow_app;
    `);

    await db.query(`
      -- The one look-up that happens before a scope is known. It runs as the owner, which these policies let read
      -- what identifies a key and nothing else.
      CREATE POLICY authentication ON api_keys FOR SELECT TO agentflow_owner USING (true);
      CREATE POLICY last_use ON api_keys FOR UPDATE TO agentflow_owner USING (true);
      CREATE POLICY authentication ON organizations FOR SELECT TO agentflow_owner USING (true);
      CREATE POLICY authentication ON projects FOR SELECT TO agentflow_owner USING (true);
      CREATE POLICY authentication ON agents FOR SELECT TO agentflow_owner USING (true);

      CREATE FUNCTION authenticate_key(wanted_public_id text)
        RETURNS TABLE (tenant_id uuid, key_id uuid, public_id text, digest bytea, scope text, project_id uuid,
          agent_id uuid, role text, expires_at timestamptz, live boolean,
          organization_name text, organization_slug text, project_name text, agent_name text)
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
        AS $$
          SELECT k.tenant_id, k.id, k.public_id, k.digest, k.scope, k.project_id, k.agent_id, k.role, k.expires_at,
            k.revoked_at IS NULL
              AND (k.expires_at IS NULL OR k.expires_at > now())
              AND (k.grace_until IS NULL OR k.grace_until > now())
              AND (k.agent_id IS NULL OR a.deleting_since IS NULL),
            o.name, o.slug, p.name, a.name
          FROM public.api_keys k
          JOIN public.organizations o ON o.id = k.tenant_id
          LEFT JOIN public.projects p ON p.tenant_id = k.tenant_id AND p.id = k.project_id
          LEFT JOIN public.agents a ON a.tenant_id = k.tenant_id AND a.id = k.agent_id
          WHERE k.public_id = wanted_public_id
        $$;
      REVOKE ALL ON FUNCTION authenticate_key(text) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION authenticate_key(text) TO agentflow_app;

      -- Whether there is any organization at all: the question of a first start.
      CREATE FUNCTION is_founded() RETURNS boolean
        LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public
        AS $$ SELECT EXISTS (SELECT FROM public.organizations) $$;
      REVOKE ALL ON FUNCTION is_founded() FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION is_founded() TO agentflow_app;

      -- At most one write a key and minute, whatever the number of api processes.
      CREATE FUNCTION touch_keys(used text[]) RETURNS void
        LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, public
        AS $$
          UPDATE public.api_keys SET last_used_at = now()
          WHERE public_id = ANY (used) AND (last_used_at IS NULL OR last_used_at < now() - interval '60 seconds')
        $$;
      REVOKE ALL ON FUNCTION touch_keys(text[]) FROM PUBLIC;
      GRANT EXECUTE ON FUNCTION touch_keys(text[]) TO agentflow_app;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP FUNCTION touch_keys(text[]);
      DROP FUNCTION is_founded();
      DROP FUNCTION authenticate_key(text);
      DROP TABLE api_keys;
      DROP TABLE agent_versions;
      DROP TABLE agents;
      DROP TABLE projects;
      DROP TABLE organizations;
      DROP FUNCTION sees_agent(uuid, uuid, uuid);
      DROP FUNCTION refuse_change();
    `);
  }
}
