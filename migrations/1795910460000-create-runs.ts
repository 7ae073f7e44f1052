import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT = `tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid`;

/**
 * A table below a run is visible exactly when its run is: the sub-select is itself under row security. `OFFSET 0`
 * keeps Postgres from asking once for all runs of the scope in place of once for each row that is read. A child may
 * come in the statement that makes its run, which only the function can see.
 */
const belowRun = (table: string): string => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY tenant ON ${table} TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
  CREATE POLICY scope ON ${table} AS RESTRICTIVE TO agentflow_app
    USING (CASE current_setting('agentflow.scope', true)
      WHEN 'organization' THEN true
      ELSE EXISTS (SELECT FROM runs
        WHERE runs.tenant_id = ${table}.tenant_id AND runs.id = ${table}.run_id OFFSET 0) END)
    WITH CHECK (CASE
      WHEN current_setting('agentflow.scope', true) = 'organization' THEN true
      WHEN EXISTS (SELECT FROM runs
        WHERE runs.tenant_id = ${table}.tenant_id AND runs.id = ${table}.run_id OFFSET 0) THEN true
      ELSE sees_run(tenant_id, run_id) END);`;

/**
 * What agents report: runs with their counters and totals, and what belongs to a run.
 *
 * Children lead with `(tenant_id, run_id)`, so that a foreign key between them proves that it is the same run and
 * a client's id in two runs lives apart. Payloads are `json`: kept as the text that was sent. Primary keys come after
 * the other indexes, as in the first migration.
 */
export class CreateRuns1795910460000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE runs (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        project_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        agent_version integer NOT NULL,
        adapter text NOT NULL,
        status text NOT NULL,
        name text,
        input json,
        output json,
        error text,
        error_type text,
        metadata jsonb NOT NULL DEFAULT '{}',
        tags jsonb NOT NULL DEFAULT '[]',
        session_id text,
        external_id text,
        parent_run_id uuid,
        origin text,
        from_checkpoint_id uuid,
        started_at timestamptz,
        ended_at timestamptz,
        lease_seconds integer,
        lease_token uuid,
        lease_expires_at timestamptz,
        last_move text,
        waiting_for json,
        resume_input json,
        next_step_index integer NOT NULL DEFAULT 0,
        next_message_index integer NOT NULL DEFAULT 0,
        next_checkpoint_index integer NOT NULL DEFAULT 0,
        last_event_seq bigint NOT NULL DEFAULT 0,
        failed_steps integer NOT NULL DEFAULT 0,
        tool_calls integer NOT NULL DEFAULT 0,
        failed_tool_calls integer NOT NULL DEFAULT 0,
        tokens_in numeric(38,0) NOT NULL DEFAULT 0,
        tokens_out numeric(38,0) NOT NULL DEFAULT 0,
        cost_usd numeric(38,10) NOT NULL DEFAULT 0,
        quality_score numeric(4,3),
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_runs_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects (tenant_id, id),
        CONSTRAINT fk_runs_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
        CONSTRAINT ck_runs_status CHECK
          (status IN ('pending', 'running', 'waiting_human', 'succeeded', 'failed', 'cancelled')),
        CONSTRAINT ck_runs_ended_at CHECK ((ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'cancelled'))),
        CONSTRAINT ck_runs_adapter CHECK (adapter ~ '^[a-z0-9._-]{1,64}$'),
        CONSTRAINT ck_runs_from_checkpoint CHECK (from_checkpoint_id IS NULL OR parent_run_id IS NOT NULL),
        CONSTRAINT ck_runs_origin CHECK (origin IN ('retry', 'fork', 'subagent')),
        CONSTRAINT ck_runs_metadata CHECK (jsonb_typeof(metadata) = 'object'),
        CONSTRAINT ck_runs_tags CHECK (jsonb_typeof(tags) = 'array'),
        CONSTRAINT ck_runs_last_move CHECK (last_move IN ('start', 'wait', 'resume', 'succeed', 'fail', 'cancel')),
        CONSTRAINT ck_runs_quality_score CHECK (quality_score BETWEEN 0 AND 1),
        CONSTRAINT ck_runs_totals CHECK (tokens_in >= 0 AND tokens_out >= 0 AND cost_usd >= 0)
      ) WITH (fillfactor = 70);
      CREATE INDEX ix_runs_tenant_id ON runs (tenant_id, adapter, created_at DESC, id DESC);
      CREATE INDEX ix_runs_project_id ON runs (tenant_id, project_id, created_at DESC, id DESC);
      CREATE INDEX ix_runs_tenant_created ON runs (tenant_id, created_at DESC, id DESC);
      CREATE INDEX ix_runs_status ON runs (tenant_id, status, created_at DESC, id DESC);
      CREATE INDEX ix_runs_agent_id ON runs (tenant_id, agent_id, created_at DESC, id DESC);
      CREATE INDEX ix_runs_session_id ON runs (tenant_id, session_id, created_at DESC, id DESC)
        WHERE session_id IS NOT NULL;
      CREATE INDEX ix_runs_parent_run_id ON runs (tenant_id, parent_run_id, created_at DESC, id DESC)
        WHERE parent_run_id IS NOT NULL;
      CREATE UNIQUE INDEX uq_runs_external_id ON runs (tenant_id, external_id) WHERE external_id IS NOT NULL;
      ALTER TABLE runs
        ADD CONSTRAINT pk_runs PRIMARY KEY (tenant_id, id),
        ADD CONSTRAINT fk_runs_parent FOREIGN KEY (tenant_id, parent_run_id)
          REFERENCES runs (tenant_id, id) ON DELETE SET NULL (parent_run_id);

      CREATE TABLE steps (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        id uuid NOT NULL,
        index integer NOT NULL,
        node text NOT NULL,
        kind text,
        status text NOT NULL,
        parent_step_id uuid,
        input json,
        output json,
        error text,
        error_type text,
        latency_ms bigint,
        tokens_in bigint,
        tokens_out bigint,
        token_details jsonb,
        cost_usd numeric(20,10),
        tokens_below boolean NOT NULL DEFAULT false,
        cost_below boolean NOT NULL DEFAULT false,
        model text,
        provider text,
        agent_role text,
        tier text,
        retry_count integer NOT NULL DEFAULT 0,
        metadata jsonb NOT NULL DEFAULT '{}',
        started_at timestamptz,
        ended_at timestamptz,
        external_id text,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_steps_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_steps_index CHECK (index >= 0),
        CONSTRAINT ck_steps_status CHECK
          (status IN ('pending', 'running', 'retrying', 'succeeded', 'failed', 'skipped', 'cancelled')),
        CONSTRAINT ck_steps_not_own_parent CHECK (parent_step_id <> id),
        CONSTRAINT ck_steps_usage CHECK (tokens_in >= 0 AND tokens_out >= 0 AND cost_usd >= 0 AND latency_ms >= 0),
        CONSTRAINT ck_steps_metadata CHECK (jsonb_typeof(metadata) = 'object')
      ) WITH (fillfactor = 85);
      CREATE UNIQUE INDEX ix_steps_run_index ON steps (tenant_id, run_id, index);
      CREATE INDEX ix_steps_parent ON steps (tenant_id, run_id, parent_step_id) WHERE parent_step_id IS NOT NULL;
      ALTER TABLE steps
        ADD CONSTRAINT pk_steps PRIMARY KEY (tenant_id, run_id, id),
        ADD CONSTRAINT fk_steps_parent FOREIGN KEY (tenant_id, run_id, parent_step_id)
          REFERENCES steps (tenant_id, run_id, id);

      CREATE TABLE messages (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        id uuid NOT NULL,
        step_id uuid,
        index integer NOT NULL,
        role text NOT NULL,
        name text,
        content text,
        tool_call_id text,
        extra json,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_messages_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_messages_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps (tenant_id, run_id, id),
        CONSTRAINT ck_messages_index CHECK (index >= 0),
        CONSTRAINT ck_messages_role CHECK (role IN ('system', 'developer', 'user', 'assistant', 'tool'))
      );
      CREATE UNIQUE INDEX ix_messages_run_index ON messages (tenant_id, run_id, index);
      CREATE INDEX ix_messages_step ON messages (tenant_id, run_id, step_id) WHERE step_id IS NOT NULL;
      ALTER TABLE messages ADD CONSTRAINT pk_messages PRIMARY KEY (tenant_id, run_id, id);

      CREATE TABLE tool_calls (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        agent_id uuid NOT NULL,
        run_id uuid,
        step_id uuid,
        name text NOT NULL,
        status text NOT NULL,
        arguments json,
        result json,
        error text,
        error_type text,
        latency_ms bigint,
        provider_call_id text,
        metadata jsonb NOT NULL DEFAULT '{}',
        started_at timestamptz,
        ended_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_tool_calls_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents (tenant_id, id),
        CONSTRAINT fk_tool_calls_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_tool_calls_step FOREIGN KEY (tenant_id, run_id, step_id)
          REFERENCES steps (tenant_id, run_id, id),
        CONSTRAINT ck_tool_calls_step_has_run CHECK (step_id IS NULL OR run_id IS NOT NULL),
        CONSTRAINT ck_tool_calls_status CHECK (status IN ('running', 'succeeded', 'failed', 'cancelled')),
        CONSTRAINT ck_tool_calls_latency CHECK (latency_ms >= 0),
        CONSTRAINT ck_tool_calls_metadata CHECK (jsonb_typeof(metadata) = 'object')
      ) WITH (fillfactor = 85);
      CREATE INDEX ix_tool_calls_run ON tool_calls (tenant_id, run_id, created_at, id) WHERE run_id IS NOT NULL;
      CREATE INDEX ix_tool_calls_step ON tool_calls (tenant_id, run_id, step_id, created_at, id)
        WHERE step_id IS NOT NULL;
      CREATE INDEX ix_tool_calls_agent ON tool_calls (tenant_id, agent_id, run_id, created_at DESC, id DESC);
      ALTER TABLE tool_calls ADD CONSTRAINT pk_tool_calls PRIMARY KEY (tenant_id, id);

      CREATE TABLE checkpoints (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        id uuid NOT NULL,
        index integer NOT NULL,
        label text,
        state json NOT NULL,
        state_bytes integer NOT NULL,
        step_id uuid,
        created_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_checkpoints_run FOREIGN KEY (tenant_id, run_id)
          REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_checkpoints_step FOREIGN KEY (tenant_id, run_id, step_id)
          REFERENCES steps (tenant_id, run_id, id),
        CONSTRAINT ck_checkpoints_index CHECK (index >= 0)
      );
      CREATE UNIQUE INDEX ix_checkpoints_run_index ON checkpoints (tenant_id, run_id, index);
      CREATE INDEX ix_checkpoints_step ON checkpoints (tenant_id, run_id, step_id) WHERE step_id IS NOT NULL;
      ALTER TABLE checkpoints ADD CONSTRAINT pk_checkpoints PRIMARY KEY (tenant_id, run_id, id);
      ALTER TABLE runs ADD CONSTRAINT fk_runs_from_checkpoint
        FOREIGN KEY (tenant_id, parent_run_id, from_checkpoint_id) REFERENCES checkpoints (tenant_id, run_id, id)
        ON DELETE SET NULL (from_checkpoint_id);

      CREATE TABLE run_events (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        seq bigint NOT NULL,
        type text NOT NULL,
        entity_id uuid,
        data json,
        actor uuid,
        at timestamptz NOT NULL DEFAULT clock_timestamp(),
        CONSTRAINT pk_run_events PRIMARY KEY (tenant_id, run_id, seq),
        CONSTRAINT fk_run_events_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT ck_run_events_seq CHECK (seq >= 1)
      );

      -- What was deleted stays refused for a day, so that a late write does not bring it back.
      CREATE TABLE deleted_runs (
        tenant_id uuid NOT NULL,
        run_id uuid NOT NULL,
        project_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        deleted_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_deleted_runs PRIMARY KEY (tenant_id, run_id, project_id, agent_id),
        CONSTRAINT fk_deleted_runs_organization FOREIGN KEY (tenant_id)
          REFERENCES organizations (id) ON DELETE CASCADE
      );
      CREATE INDEX ix_deleted_runs_deleted_at ON deleted_runs (deleted_at);
    `);

    await db.query(`
      -- The last guard of the lifecycle: it follows the table in libs/domain, and a test compares the two.
      CREATE FUNCTION guard_run() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF (OLD.tenant_id, OLD.id, OLD.project_id, OLD.agent_id, OLD.agent_version, OLD.created_at)
          IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.project_id, NEW.agent_id, NEW.agent_version, NEW.created_at) THEN
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
      END $$;
      -- The list of columns keeps it away from what only counts, which is most of what is written here.
      CREATE TRIGGER runs_guarded BEFORE UPDATE OF status, ended_at, tenant_id, id, project_id, agent_id, agent_version,
        created_at ON runs FOR EACH ROW
        WHEN (OLD.status IS DISTINCT FROM NEW.status OR OLD.ended_at IS DISTINCT FROM NEW.ended_at
          OR OLD.tenant_id <> NEW.tenant_id OR OLD.id <> NEW.id OR OLD.project_id <> NEW.project_id
          OR OLD.agent_id <> NEW.agent_id OR OLD.agent_version <> NEW.agent_version
          OR OLD.created_at <> NEW.created_at)
        EXECUTE FUNCTION guard_run();

      -- A checkpoint is known by its run: who loses the parent run loses the checkpoint in it.
      CREATE FUNCTION forget_checkpoint() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.from_checkpoint_id := NULL;
        RETURN NEW;
      END $$;
      CREATE TRIGGER runs_forget_checkpoint BEFORE UPDATE OF parent_run_id ON runs FOR EACH ROW
        WHEN (NEW.parent_run_id IS NULL) EXECUTE FUNCTION forget_checkpoint();
    `);

    for (const table of ['messages', 'checkpoints', 'run_events']) {
      await db.query(`
        CREATE TRIGGER ${table}_immutable BEFORE UPDATE OR DELETE ON ${table}
          FOR EACH ROW EXECUTE FUNCTION refuse_change();
        CREATE TRIGGER ${table}_not_truncated BEFORE TRUNCATE ON ${table}
          FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
      `);
    }

    await db.query(`
      ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
      ALTER TABLE runs FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON runs TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON runs AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);
      -- A run begins in the project of its agent (which may move later), and both are in the scope that begins it.
      CREATE POLICY pair ON runs AS RESTRICTIVE FOR INSERT TO agentflow_app
        WITH CHECK (CASE
          WHEN EXISTS (SELECT FROM agents
            WHERE agents.tenant_id = runs.tenant_id AND agents.id = runs.agent_id
              AND agents.project_id = runs.project_id) THEN true
          ELSE sees_agent(tenant_id, agent_id, project_id) END);

      CREATE FUNCTION sees_run(tenant uuid, run uuid) RETURNS boolean LANGUAGE plpgsql VOLATILE AS $$
      BEGIN
        RETURN EXISTS (SELECT FROM public.runs r WHERE r.tenant_id = tenant AND r.id = run);
      END $$;

      ALTER TABLE deleted_runs ENABLE ROW LEVEL SECURITY;
      ALTER TABLE deleted_runs FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON deleted_runs TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON deleted_runs AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);

      ${['steps', 'messages', 'checkpoints', 'run_events'].map(belowRun).join('\n')}

      ALTER TABLE tool_calls ENABLE ROW LEVEL SECURITY;
      ALTER TABLE tool_calls FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON tool_calls TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON tool_calls AS RESTRICTIVE TO agentflow_app
        USING (CASE
          WHEN current_setting('agentflow.scope', true) = 'organization' THEN true
          WHEN run_id IS NULL THEN EXISTS (SELECT FROM agents
            WHERE agents.tenant_id = tool_calls.tenant_id AND agents.id = tool_calls.agent_id OFFSET 0)
          ELSE EXISTS (SELECT FROM runs
            WHERE runs.tenant_id = tool_calls.tenant_id AND runs.id = tool_calls.run_id OFFSET 0) END)
        WITH CHECK (CASE
          WHEN current_setting('agentflow.scope', true) = 'organization' THEN true
          WHEN run_id IS NULL THEN sees_agent(tenant_id, agent_id, NULL)
          WHEN EXISTS (SELECT FROM runs
            WHERE runs.tenant_id = tool_calls.tenant_id AND runs.id = tool_calls.run_id OFFSET 0) THEN true
          ELSE sees_run(tenant_id, run_id) END);
    `);

    await db.query(`
      GRANT SELECT, INSERT, DELETE ON runs TO agentflow_app;
      GRANT UPDATE (status, output, error, error_type, started_at, ended_at, lease_seconds, lease_token,
        lease_expires_at, last_move, waiting_for, resume_input, next_step_index, next_message_index,
        next_checkpoint_index, last_event_seq, failed_steps, tool_calls, failed_tool_calls, tokens_in, tokens_out,
        cost_usd, quality_score, updated_at) ON runs TO agentflow_app;
      GRANT SELECT, INSERT ON steps TO agentflow_app;
      GRANT UPDATE (status, output, error, error_type, latency_ms, tokens_in, tokens_out, token_details, cost_usd,
        tokens_below, cost_below, model, provider, retry_count, metadata, started_at, ended_at, updated_at) ON steps TO agentflow_app;
      GRANT SELECT, INSERT ON messages TO agentflow_app;
      GRANT SELECT, INSERT, DELETE ON tool_calls TO agentflow_app;
      GRANT UPDATE (status, result, error, error_type, latency_ms, metadata, started_at, ended_at, updated_at)
        ON tool_calls TO agentflow_app;
      GRANT SELECT, INSERT ON checkpoints TO agentflow_app;
      GRANT SELECT, INSERT ON run_events TO agentflow_app;
      GRANT SELECT, INSERT ON deleted_runs TO agentflow_app;
      GRANT UPDATE (deleted_at) ON deleted_runs TO agentflow_app;
    `);

    await db.query(`
      -- The worker acts for every tenant, row by row: it finishes deletions and forgets what has expired.
      CREATE POLICY worker ON agents TO agentflow_worker USING (true);
      CREATE POLICY worker ON runs TO agentflow_worker USING (true);
      CREATE POLICY worker ON tool_calls TO agentflow_worker USING (true);
      CREATE POLICY worker ON deleted_runs TO agentflow_worker USING (true);
      GRANT SELECT, DELETE ON agents, runs, tool_calls, deleted_runs TO agentflow_worker;
      GRANT INSERT, UPDATE (deleted_at) ON deleted_runs TO agentflow_worker;
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      ALTER TABLE runs DROP CONSTRAINT fk_runs_from_checkpoint;
      DROP POLICY worker ON agents;
      REVOKE ALL ON agents FROM agentflow_worker;
      DROP TABLE deleted_runs, run_events, checkpoints, tool_calls, messages, steps, runs;
      DROP FUNCTION guard_run();
      DROP FUNCTION forget_checkpoint();
      DROP FUNCTION sees_run(uuid, uuid);
    `);
  }
}
