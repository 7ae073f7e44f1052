import type { MigrationInterface, QueryRunner } from 'typeorm';

const TENANT = `tenant_id = nullif(current_setting('agentflow.tenant_id', true), '')::uuid`;

/**
 * What a run asks of people while it waits, one row a question, with the answer. The project and the agent are the run's,
 * repeated so that the inbox of a project or an agent is read by an index; a trigger keeps them so.
 *
 * How long a run waited is counted where its status changes, so that it is right whoever changes it.
 */
export class CreateApprovals1795911000000 implements MigrationInterface {
  async up(db: QueryRunner): Promise<void> {
    await db.query(`
      CREATE TABLE approvals (
        tenant_id uuid NOT NULL,
        id uuid NOT NULL,
        run_id uuid NOT NULL,
        project_id uuid NOT NULL,
        agent_id uuid NOT NULL,
        step_id uuid,
        tool_call_id uuid,
        index integer NOT NULL,
        kind text NOT NULL,
        is_implicit boolean NOT NULL DEFAULT false,
        payload json,
        arguments_hash text,
        allowed jsonb NOT NULL,
        schema json,
        assignee text,
        due_at timestamptz,
        on_due text,
        status text NOT NULL DEFAULT 'pending',
        answer json,
        reason text,
        decided_by uuid,
        decided_at timestamptz,
        created_at timestamptz NOT NULL DEFAULT now(),
        updated_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT fk_approvals_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs (tenant_id, id) ON DELETE CASCADE,
        CONSTRAINT fk_approvals_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps (tenant_id, run_id, id),
        CONSTRAINT fk_approvals_tool_call FOREIGN KEY (tenant_id, tool_call_id) REFERENCES tool_calls (tenant_id, id),
        CONSTRAINT ck_approvals_index CHECK (index >= 0),
        CONSTRAINT ck_approvals_kind CHECK (kind IN ('tool', 'question', 'gate')),
        CONSTRAINT ck_approvals_allowed CHECK (jsonb_typeof(allowed) = 'array'),
        CONSTRAINT ck_approvals_on_due CHECK (on_due IN ('cancel', 'reject')),
        CONSTRAINT ck_approvals_due CHECK ((due_at IS NULL) = (on_due IS NULL)),
        CONSTRAINT ck_approvals_status CHECK
          (status IN ('pending', 'approved', 'edited', 'rejected', 'responded', 'expired', 'cancelled')),
        CONSTRAINT ck_approvals_decided_at CHECK ((decided_at IS NULL) = (status = 'pending'))
      );
      CREATE INDEX ix_approvals_status ON approvals (tenant_id, status, created_at DESC, id DESC);
      CREATE INDEX ix_approvals_project ON approvals (tenant_id, project_id, status, created_at DESC, id DESC);
      CREATE INDEX ix_approvals_agent ON approvals (tenant_id, agent_id, status, created_at DESC, id DESC);
      CREATE INDEX ix_approvals_assignee ON approvals (tenant_id, assignee, status, created_at DESC, id DESC)
        WHERE assignee IS NOT NULL;
      CREATE INDEX ix_approvals_run ON approvals (tenant_id, run_id, status, created_at DESC, id DESC);
      CREATE INDEX ix_approvals_step ON approvals (tenant_id, run_id, step_id) WHERE step_id IS NOT NULL;
      CREATE INDEX ix_approvals_tool_call ON approvals (tenant_id, tool_call_id) WHERE tool_call_id IS NOT NULL;
      CREATE INDEX ix_approvals_due ON approvals (due_at) WHERE status = 'pending' AND due_at IS NOT NULL;
      ALTER TABLE approvals ADD CONSTRAINT pk_approvals PRIMARY KEY (tenant_id, id);

      -- The last guard: one decision, and none about another question.
      CREATE FUNCTION guard_approval() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'an approval is decided once' USING ERRCODE = 'restrict_violation';
      END $$;
      CREATE TRIGGER approvals_decided_once BEFORE UPDATE OF status, answer, reason, decided_by, decided_at ON approvals
        FOR EACH ROW WHEN (OLD.status <> 'pending') EXECUTE FUNCTION guard_approval();

      -- Whose run a trace is may be told by a later part of it.
      CREATE FUNCTION move_approvals() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE public.approvals SET project_id = NEW.project_id, agent_id = NEW.agent_id
          WHERE tenant_id = NEW.tenant_id AND run_id = NEW.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER runs_move_approvals AFTER UPDATE OF project_id, agent_id ON runs FOR EACH ROW
        WHEN (OLD.project_id <> NEW.project_id OR OLD.agent_id <> NEW.agent_id)
        EXECUTE FUNCTION move_approvals();
    `);

    await db.query(`
      ALTER TABLE approvals ENABLE ROW LEVEL SECURITY;
      ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
      CREATE POLICY tenant ON approvals TO agentflow_app USING (${TENANT}) WITH CHECK (${TENANT});
      CREATE POLICY scope ON approvals AS RESTRICTIVE TO agentflow_app
        USING (CASE current_setting('agentflow.scope', true)
          WHEN 'organization' THEN true
          WHEN 'project' THEN project_id = nullif(current_setting('agentflow.project_id', true), '')::uuid
          WHEN 'agent' THEN agent_id = nullif(current_setting('agentflow.agent_id', true), '')::uuid
          ELSE false END);
      -- An approval is where its run is, and its run is in sight.
      CREATE POLICY pair ON approvals AS RESTRICTIVE FOR INSERT TO agentflow_app
        WITH CHECK (EXISTS (SELECT FROM runs
          WHERE runs.tenant_id = approvals.tenant_id AND runs.id = approvals.run_id
            AND runs.project_id = approvals.project_id AND runs.agent_id = approvals.agent_id OFFSET 0));
      GRANT SELECT, INSERT ON approvals TO agentflow_app;
      GRANT UPDATE (status, answer, reason, decided_by, decided_at, updated_at, project_id, agent_id)
        ON approvals TO agentflow_app;

      -- The worker finds what is due for every tenant, and decides for one at a time; it reads no payload.
      CREATE POLICY worker ON approvals TO agentflow_worker USING (true);
      CREATE POLICY ending ON approvals AS RESTRICTIVE FOR UPDATE TO agentflow_worker USING (${TENANT});
      GRANT SELECT (tenant_id, id, run_id, step_id, tool_call_id, index, kind, is_implicit, due_at, on_due, status, answer,
          reason, created_at),
        UPDATE (status, answer, reason, decided_by, decided_at, updated_at) ON approvals TO agentflow_worker;
      GRANT UPDATE (resume_input, started_at, lease_seconds, lease_token) ON runs TO agentflow_worker;
    `);

    await db.query(`
      ALTER TABLE runs
        ADD COLUMN waiting_since timestamptz,
        ADD COLUMN waited_ms bigint NOT NULL DEFAULT 0;
      CREATE FUNCTION count_waiting() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.status = 'waiting_human' THEN
          NEW.waiting_since := now();
        ELSE
          NEW.waited_ms := OLD.waited_ms
            + greatest(0, coalesce(floor(extract(epoch FROM now() - OLD.waiting_since) * 1000), 0));
          NEW.waiting_since := NULL;
        END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER runs_begin_waiting BEFORE INSERT ON runs FOR EACH ROW
        WHEN (NEW.status = 'waiting_human') EXECUTE FUNCTION count_waiting();
      CREATE TRIGGER runs_count_waiting BEFORE UPDATE OF status ON runs FOR EACH ROW
        WHEN ((OLD.status = 'waiting_human') <> (NEW.status = 'waiting_human')) EXECUTE FUNCTION count_waiting();
    `);
  }

  async down(db: QueryRunner): Promise<void> {
    await db.query(`
      DROP TRIGGER runs_count_waiting ON runs;
      DROP TRIGGER runs_begin_waiting ON runs;
      DROP FUNCTION count_waiting();
      ALTER TABLE runs DROP COLUMN waited_ms, DROP COLUMN waiting_since;
      REVOKE UPDATE (resume_input, started_at, lease_seconds, lease_token) ON runs FROM agentflow_worker;
      DROP TRIGGER runs_move_approvals ON runs;
      DROP FUNCTION move_approvals();
      DROP TABLE approvals;
      DROP FUNCTION guard_approval();
    `);
  }
}
