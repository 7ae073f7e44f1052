-- The schema after all migrations. Written by "npm run schema"; a test compares it with what migrations make.
-- It can be loaded into an empty database, as agentflow_owner, where the roles exist.

SET check_function_bodies = false;
SET search_path = public;

CREATE OR REPLACE FUNCTION public.authenticate_key(wanted_public_id text)
 RETURNS TABLE(tenant_id uuid, key_id uuid, public_id text, digest bytea, scope text, project_id uuid, agent_id uuid, role text, expires_at timestamp with time zone, live boolean, organization_name text, organization_slug text, project_name text, agent_name text)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
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
        $function$;

CREATE OR REPLACE FUNCTION public.count_waiting()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF NEW.status = 'waiting_human' THEN
          NEW.waiting_since := now();
        ELSE
          NEW.waited_ms := OLD.waited_ms
            + greatest(0, coalesce(floor(extract(epoch FROM now() - OLD.waiting_since) * 1000), 0));
          NEW.waiting_since := NULL;
        END IF;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.forget_checkpoint()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        NEW.from_checkpoint_id := NULL;
        RETURN NEW;
      END $function$;

CREATE OR REPLACE FUNCTION public.guard_approval()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RAISE EXCEPTION 'an approval is decided once' USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.guard_bulk_action()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RAISE EXCEPTION 'a bulk action ends once' USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.guard_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF (OLD.tenant_id, OLD.id, OLD.created_at) IS DISTINCT FROM (NEW.tenant_id, NEW.id, NEW.created_at)
          OR OLD.announced AND NOT OLD.from_trace AND (OLD.project_id, OLD.agent_id, OLD.agent_version)
            IS DISTINCT FROM (NEW.project_id, NEW.agent_id, NEW.agent_version) THEN
          RAISE EXCEPTION 'a run keeps its tenant, project, agent and version' USING ERRCODE = 'restrict_violation';
        END IF;
        IF OLD.from_trace AND OLD.status = 'failed' AND OLD.error_type = 'trace_incomplete' THEN
          RETURN NEW;
        END IF;
        IF OLD.ended_by_trace AND (NEW.ended_by_trace OR NEW.ended_at IS NULL) THEN
          RETURN NEW;
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
      END $function$;

CREATE OR REPLACE FUNCTION public.is_founded()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$ SELECT EXISTS (SELECT FROM public.organizations) $function$;

CREATE OR REPLACE FUNCTION public.move_approvals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        UPDATE public.approvals SET project_id = NEW.project_id, agent_id = NEW.agent_id
          WHERE tenant_id = NEW.tenant_id AND run_id = NEW.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.refer_to_runs()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF EXISTS (SELECT FROM (SELECT DISTINCT tenant_id, run_id FROM added) AS a
          WHERE NOT EXISTS (SELECT FROM public.runs r WHERE r.tenant_id = a.tenant_id AND r.id = a.run_id FOR KEY SHARE))
        THEN
          RAISE EXCEPTION 'a row of % refers to a run that is not there', TG_TABLE_NAME
            USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_NAME;
        END IF;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.refuse_change()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
      BEGIN
        IF TG_OP = 'DELETE' AND pg_trigger_depth() > 1 THEN
          RETURN OLD;
        END IF;
        RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
      END $function$;

CREATE OR REPLACE FUNCTION public.sees_agent(tenant uuid, agent uuid, project uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RETURN EXISTS (SELECT FROM public.agents a
          WHERE a.tenant_id = tenant AND a.id = agent AND (project IS NULL OR a.project_id = project));
      END $function$;

CREATE OR REPLACE FUNCTION public.sees_run(tenant uuid, run uuid)
 RETURNS boolean
 LANGUAGE plpgsql
AS $function$
      BEGIN
        RETURN EXISTS (SELECT FROM public.runs r WHERE r.tenant_id = tenant AND r.id = run);
      END $function$;

CREATE OR REPLACE FUNCTION public.take_along()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
      BEGIN
        DELETE FROM public.run_events WHERE tenant_id = OLD.tenant_id AND run_id = OLD.id;
        DELETE FROM public.messages WHERE tenant_id = OLD.tenant_id AND run_id = OLD.id;
        RETURN NULL;
      END $function$;

CREATE OR REPLACE FUNCTION public.touch_keys(used text[])
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public'
AS $function$
          UPDATE public.api_keys SET last_used_at = now()
          WHERE public_id = ANY (used) AND (last_used_at IS NULL OR last_used_at < now() - interval '60 seconds')
        $function$;

CREATE TABLE agent_versions (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  version integer NOT NULL,
  adapter text NOT NULL,
  config jsonb NOT NULL,
  description text,
  note text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_agent_versions PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_agent_versions_note CHECK ((char_length(note) <= 512))
);

CREATE TABLE agents (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  project_id uuid NOT NULL,
  name text NOT NULL,
  description text,
  adapter text NOT NULL,
  config jsonb DEFAULT '{}'::jsonb NOT NULL,
  version integer DEFAULT 1 NOT NULL,
  deleting_since timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_agents PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_agents_adapter CHECK ((adapter ~ '^[a-z0-9._-]{1,64}$'::text)),
  CONSTRAINT ck_agents_config CHECK ((jsonb_typeof(config) = 'object'::text)),
  CONSTRAINT ck_agents_description CHECK ((char_length(description) <= 1024)),
  CONSTRAINT ck_agents_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 128))),
  CONSTRAINT ck_agents_version CHECK ((version >= 1))
);

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
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  rotated_from uuid,
  grace_until timestamp with time zone,
  created_by uuid,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_api_keys PRIMARY KEY (tenant_id, id),
  CONSTRAINT uq_api_keys_public_id UNIQUE (public_id),
  CONSTRAINT ck_api_keys_digest CHECK ((octet_length(digest) = 32)),
  CONSTRAINT ck_api_keys_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 128))),
  CONSTRAINT ck_api_keys_role CHECK ((role = ANY (ARRAY['viewer'::text, 'reporter'::text, 'operator'::text, 'admin'::text]))),
  CONSTRAINT ck_api_keys_scope CHECK (
CASE scope
    WHEN 'organization'::text THEN ((project_id IS NULL) AND (agent_id IS NULL))
    WHEN 'project'::text THEN ((project_id IS NOT NULL) AND (agent_id IS NULL))
    WHEN 'agent'::text THEN ((project_id IS NOT NULL) AND (agent_id IS NOT NULL))
    ELSE false
END)
);

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
  is_implicit boolean DEFAULT false NOT NULL,
  payload json,
  arguments_hash text,
  allowed jsonb NOT NULL,
  schema json,
  assignee text,
  due_at timestamp with time zone,
  on_due text,
  status text DEFAULT 'pending'::text NOT NULL,
  answer json,
  reason text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_approvals PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_approvals_allowed CHECK ((jsonb_typeof(allowed) = 'array'::text)),
  CONSTRAINT ck_approvals_decided_at CHECK (((decided_at IS NULL) = (status = 'pending'::text))),
  CONSTRAINT ck_approvals_due CHECK (((due_at IS NULL) = (on_due IS NULL))),
  CONSTRAINT ck_approvals_index CHECK ((index >= 0)),
  CONSTRAINT ck_approvals_kind CHECK ((kind = ANY (ARRAY['tool'::text, 'question'::text, 'gate'::text]))),
  CONSTRAINT ck_approvals_on_due CHECK ((on_due = ANY (ARRAY['cancel'::text, 'reject'::text]))),
  CONSTRAINT ck_approvals_status CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'edited'::text, 'rejected'::text, 'responded'::text, 'expired'::text, 'cancelled'::text])))
);

CREATE TABLE audit_log (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamp with time zone DEFAULT now() NOT NULL,
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
  CONSTRAINT pk_audit_log PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_audit_log_actor CHECK ((actor = ANY (ARRAY['key'::text, 'root'::text, 'system'::text]))),
  CONSTRAINT ck_audit_log_entity_type CHECK ((entity_type = split_part(action, '.'::text, 1))),
  CONSTRAINT ck_audit_log_key CHECK (((key_id IS NOT NULL) = (actor = 'key'::text)))
);

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
  force boolean DEFAULT false NOT NULL,
  reuse text,
  created_by uuid NOT NULL,
  status text DEFAULT 'pending'::text NOT NULL,
  cancel_reason text,
  after_created_at timestamp with time zone DEFAULT now() NOT NULL,
  after_id uuid NOT NULL,
  done integer DEFAULT 0 NOT NULL,
  failed integer DEFAULT 0 NOT NULL,
  skipped jsonb DEFAULT '{}'::jsonb NOT NULL,
  errors jsonb DEFAULT '[]'::jsonb NOT NULL,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_bulk_actions PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_bulk_actions_action CHECK ((action = ANY (ARRAY['cancel'::text, 'delete'::text, 'retry'::text]))),
  CONSTRAINT ck_bulk_actions_cancel_reason CHECK ((cancel_reason = ANY (ARRAY['requested'::text, 'key_revoked'::text]))),
  CONSTRAINT ck_bulk_actions_cancelled CHECK (((status = 'cancelled'::text) = (cancel_reason IS NOT NULL))),
  CONSTRAINT ck_bulk_actions_ended_at CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])))),
  CONSTRAINT ck_bulk_actions_errors CHECK ((jsonb_typeof(errors) = 'array'::text)),
  CONSTRAINT ck_bulk_actions_filter CHECK ((jsonb_typeof(filter) = 'object'::text)),
  CONSTRAINT ck_bulk_actions_reuse CHECK ((reuse = ANY (ARRAY['none'::text, 'recorded_tool_results'::text]))),
  CONSTRAINT ck_bulk_actions_scope CHECK (
CASE scope
    WHEN 'organization'::text THEN ((project_id IS NULL) AND (agent_id IS NULL))
    WHEN 'project'::text THEN ((project_id IS NOT NULL) AND (agent_id IS NULL))
    WHEN 'agent'::text THEN ((project_id IS NOT NULL) AND (agent_id IS NOT NULL))
    ELSE false
END),
  CONSTRAINT ck_bulk_actions_selection CHECK (((ids IS NULL) <> (filter IS NULL))),
  CONSTRAINT ck_bulk_actions_skipped CHECK ((jsonb_typeof(skipped) = 'object'::text)),
  CONSTRAINT ck_bulk_actions_status CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text])))
);

CREATE TABLE checkpoints (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  id uuid NOT NULL,
  index integer NOT NULL,
  label text,
  state json NOT NULL,
  state_bytes integer NOT NULL,
  step_id uuid,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  at timestamp with time zone,
  CONSTRAINT pk_checkpoints PRIMARY KEY (tenant_id, run_id, id),
  CONSTRAINT ck_checkpoints_index CHECK ((index >= 0))
);

CREATE TABLE deleted_runs (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  project_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  deleted_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_deleted_runs PRIMARY KEY (tenant_id, run_id, project_id, agent_id)
);

CREATE TABLE idempotency_keys (
  tenant_id uuid NOT NULL,
  scope_id uuid NOT NULL,
  key text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  request_digest bytea NOT NULL,
  status smallint,
  response json,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_idempotency_keys PRIMARY KEY (tenant_id, scope_id, key),
  CONSTRAINT ck_idempotency_keys_digest CHECK ((octet_length(request_digest) = 32)),
  CONSTRAINT ck_idempotency_keys_key CHECK (((char_length(key) >= 1) AND (char_length(key) <= 255)))
);

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
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  at timestamp with time zone,
  CONSTRAINT pk_messages PRIMARY KEY (tenant_id, run_id, id),
  CONSTRAINT ck_messages_index CHECK ((index >= 0)),
  CONSTRAINT ck_messages_role CHECK ((role = ANY (ARRAY['system'::text, 'developer'::text, 'user'::text, 'assistant'::text, 'tool'::text])))
);

CREATE TABLE model_prices (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text,
  model text NOT NULL,
  input numeric(20,10) NOT NULL,
  output numeric(20,10) NOT NULL,
  cache_read numeric(20,10),
  cache_write numeric(20,10),
  valid_from timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_model_prices PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_model_prices_amounts CHECK (((input >= (0)::numeric) AND (output >= (0)::numeric) AND (cache_read >= (0)::numeric) AND (cache_write >= (0)::numeric))),
  CONSTRAINT ck_model_prices_model CHECK (((char_length(model) >= 1) AND (char_length(model) <= 256))),
  CONSTRAINT ck_model_prices_provider CHECK (((char_length(provider) >= 1) AND (char_length(provider) <= 256)))
);

CREATE TABLE organizations (
  id uuid NOT NULL,
  slug text NOT NULL,
  name text NOT NULL,
  settings jsonb DEFAULT '{}'::jsonb NOT NULL,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_organizations PRIMARY KEY (id),
  CONSTRAINT uq_organizations_slug UNIQUE (slug),
  CONSTRAINT ck_organizations_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 128))),
  CONSTRAINT ck_organizations_slug CHECK ((slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'::text))
);

CREATE TABLE projects (
  tenant_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_projects PRIMARY KEY (tenant_id, id),
  CONSTRAINT uq_projects_tenant_name UNIQUE (tenant_id, name),
  CONSTRAINT ck_projects_description CHECK ((char_length(description) <= 1024)),
  CONSTRAINT ck_projects_name CHECK (((char_length(name) >= 1) AND (char_length(name) <= 128)))
);

CREATE TABLE received_reports (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  id uuid NOT NULL,
  dialect text NOT NULL,
  mapping_version integer NOT NULL,
  body bytea NOT NULL,
  received_at timestamp with time zone DEFAULT now() NOT NULL,
  speaks_of_run boolean DEFAULT false NOT NULL,
  about jsonb DEFAULT '[]'::jsonb NOT NULL,
  CONSTRAINT pk_received_reports PRIMARY KEY (tenant_id, run_id, id),
  CONSTRAINT ck_received_reports_dialect CHECK ((dialect ~ '^[a-z0-9._-]{1,64}$'::text))
);

CREATE TABLE run_events (
  tenant_id uuid NOT NULL,
  run_id uuid NOT NULL,
  seq bigint NOT NULL,
  type text NOT NULL,
  entity_id uuid,
  data json,
  actor uuid,
  at timestamp with time zone DEFAULT clock_timestamp() NOT NULL,
  xid bigint DEFAULT ((pg_current_xact_id())::text)::bigint NOT NULL,
  CONSTRAINT pk_run_events PRIMARY KEY (tenant_id, run_id, seq),
  CONSTRAINT ck_run_events_seq CHECK ((seq >= 1))
);

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
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  tags jsonb DEFAULT '[]'::jsonb NOT NULL,
  session_id text,
  external_id text,
  parent_run_id uuid,
  origin text,
  from_checkpoint_id uuid,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  lease_seconds integer,
  lease_token uuid,
  lease_expires_at timestamp with time zone,
  last_move text,
  waiting_for json,
  resume_input json,
  next_step_index integer DEFAULT 0 NOT NULL,
  next_message_index integer DEFAULT 0 NOT NULL,
  next_checkpoint_index integer DEFAULT 0 NOT NULL,
  last_event_seq bigint DEFAULT 0 NOT NULL,
  failed_steps integer DEFAULT 0 NOT NULL,
  tool_calls integer DEFAULT 0 NOT NULL,
  failed_tool_calls integer DEFAULT 0 NOT NULL,
  tokens_in numeric(38,0) DEFAULT 0 NOT NULL,
  tokens_out numeric(38,0) DEFAULT 0 NOT NULL,
  cost_usd numeric(38,10) DEFAULT 0 NOT NULL,
  quality_score numeric(4,3),
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  announced boolean DEFAULT true NOT NULL,
  moved_at timestamp with time zone,
  from_trace boolean DEFAULT false NOT NULL,
  ended_by_trace boolean DEFAULT false NOT NULL,
  waiting_since timestamp with time zone,
  waited_ms bigint DEFAULT 0 NOT NULL,
  reuse text,
  last_event_xid bigint DEFAULT 0 NOT NULL,
  CONSTRAINT pk_runs PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_runs_adapter CHECK ((adapter ~ '^[a-z0-9._-]{1,64}$'::text)),
  CONSTRAINT ck_runs_ended_at CHECK (((ended_at IS NOT NULL) = (status = ANY (ARRAY['succeeded'::text, 'failed'::text, 'cancelled'::text])))),
  CONSTRAINT ck_runs_from_checkpoint CHECK (((from_checkpoint_id IS NULL) OR (parent_run_id IS NOT NULL))),
  CONSTRAINT ck_runs_last_move CHECK ((last_move = ANY (ARRAY['start'::text, 'wait'::text, 'resume'::text, 'succeed'::text, 'fail'::text, 'cancel'::text]))),
  CONSTRAINT ck_runs_metadata CHECK ((jsonb_typeof(metadata) = 'object'::text)),
  CONSTRAINT ck_runs_origin CHECK ((origin = ANY (ARRAY['retry'::text, 'fork'::text, 'subagent'::text]))),
  CONSTRAINT ck_runs_quality_score CHECK (((quality_score >= (0)::numeric) AND (quality_score <= (1)::numeric))),
  CONSTRAINT ck_runs_reuse CHECK ((reuse = 'recorded_tool_results'::text)),
  CONSTRAINT ck_runs_status CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'waiting_human'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT ck_runs_tags CHECK ((jsonb_typeof(tags) = 'array'::text)),
  CONSTRAINT ck_runs_totals CHECK (((tokens_in >= (0)::numeric) AND (tokens_out >= (0)::numeric) AND (cost_usd >= (0)::numeric)))
) WITH (fillfactor=70);

CREATE TABLE schema_migrations (
  id integer GENERATED BY DEFAULT AS IDENTITY NOT NULL,
  "timestamp" bigint NOT NULL,
  name text NOT NULL,
  applied_at timestamp with time zone DEFAULT now() NOT NULL,
  CONSTRAINT pk_schema_migrations PRIMARY KEY (id),
  CONSTRAINT uq_schema_migrations_name UNIQUE (name)
);

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
  tokens_below boolean DEFAULT false NOT NULL,
  cost_below boolean DEFAULT false NOT NULL,
  model text,
  provider text,
  agent_role text,
  tier text,
  retry_count integer DEFAULT 0 NOT NULL,
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  external_id text,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  cost_source text,
  announced boolean DEFAULT true NOT NULL,
  settled integer DEFAULT 0 NOT NULL,
  said jsonb,
  CONSTRAINT pk_steps PRIMARY KEY (tenant_id, run_id, id),
  CONSTRAINT ck_steps_cost_source CHECK (((cost_source = ANY (ARRAY['reported'::text, 'computed'::text, 'override'::text])) AND ((cost_source IS NULL) = (cost_usd IS NULL)))),
  CONSTRAINT ck_steps_index CHECK ((index >= 0)),
  CONSTRAINT ck_steps_metadata CHECK ((jsonb_typeof(metadata) = 'object'::text)),
  CONSTRAINT ck_steps_not_own_parent CHECK ((parent_step_id <> id)),
  CONSTRAINT ck_steps_status CHECK ((status = ANY (ARRAY['pending'::text, 'running'::text, 'retrying'::text, 'succeeded'::text, 'failed'::text, 'skipped'::text, 'cancelled'::text]))),
  CONSTRAINT ck_steps_usage CHECK (((tokens_in >= 0) AND (tokens_out >= 0) AND (cost_usd >= (0)::numeric) AND (latency_ms >= 0)))
) WITH (fillfactor=85);

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
  metadata jsonb DEFAULT '{}'::jsonb NOT NULL,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  created_at timestamp with time zone DEFAULT now() NOT NULL,
  updated_at timestamp with time zone DEFAULT now() NOT NULL,
  announced boolean DEFAULT true NOT NULL,
  CONSTRAINT pk_tool_calls PRIMARY KEY (tenant_id, id),
  CONSTRAINT ck_tool_calls_latency CHECK ((latency_ms >= 0)),
  CONSTRAINT ck_tool_calls_metadata CHECK ((jsonb_typeof(metadata) = 'object'::text)),
  CONSTRAINT ck_tool_calls_status CHECK ((status = ANY (ARRAY['running'::text, 'succeeded'::text, 'failed'::text, 'cancelled'::text]))),
  CONSTRAINT ck_tool_calls_step_has_run CHECK (((step_id IS NULL) OR (run_id IS NOT NULL)))
) WITH (fillfactor=85);

CREATE INDEX ix_agent_versions_agent_id ON public.agent_versions USING btree (tenant_id, agent_id, version DESC);
CREATE UNIQUE INDEX uq_agent_versions_agent_version ON public.agent_versions USING btree (tenant_id, agent_id, version);
CREATE INDEX ix_agents_deleting ON public.agents USING btree (deleting_since) WHERE (deleting_since IS NOT NULL);
CREATE INDEX ix_agents_project_id ON public.agents USING btree (tenant_id, project_id, created_at DESC, id DESC);
CREATE INDEX ix_agents_tenant_id ON public.agents USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_agents_tenant_name ON public.agents USING btree (tenant_id, name) WHERE (deleting_since IS NULL);
CREATE INDEX ix_api_keys_created_by ON public.api_keys USING btree (tenant_id, created_by) WHERE (created_by IS NOT NULL);
CREATE INDEX ix_api_keys_tenant_id ON public.api_keys USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_api_keys_rotated_from ON public.api_keys USING btree (tenant_id, rotated_from) WHERE (rotated_from IS NOT NULL);
CREATE INDEX ix_approvals_agent ON public.approvals USING btree (tenant_id, agent_id, status, created_at DESC, id DESC);
CREATE INDEX ix_approvals_assignee ON public.approvals USING btree (tenant_id, assignee, status, created_at DESC, id DESC) WHERE (assignee IS NOT NULL);
CREATE INDEX ix_approvals_due ON public.approvals USING btree (due_at) WHERE ((status = 'pending'::text) AND (due_at IS NOT NULL));
CREATE INDEX ix_approvals_project ON public.approvals USING btree (tenant_id, project_id, status, created_at DESC, id DESC);
CREATE INDEX ix_approvals_run ON public.approvals USING btree (tenant_id, run_id, status, created_at DESC, id DESC);
CREATE INDEX ix_approvals_status ON public.approvals USING btree (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX ix_approvals_step ON public.approvals USING btree (tenant_id, run_id, step_id) WHERE (step_id IS NOT NULL);
CREATE INDEX ix_approvals_tool_call ON public.approvals USING btree (tenant_id, tool_call_id) WHERE (tool_call_id IS NOT NULL);
CREATE INDEX ix_audit_log_action ON public.audit_log USING btree (tenant_id, action, at DESC, id DESC);
CREATE INDEX ix_audit_log_agent ON public.audit_log USING btree (tenant_id, agent_id, at DESC, id DESC) WHERE (agent_id IS NOT NULL);
CREATE INDEX ix_audit_log_at ON public.audit_log USING btree (tenant_id, at DESC, id DESC);
CREATE INDEX ix_audit_log_entity ON public.audit_log USING btree (tenant_id, entity_id, at DESC, id DESC);
CREATE INDEX ix_audit_log_key ON public.audit_log USING btree (tenant_id, key_id, at DESC, id DESC) WHERE (key_id IS NOT NULL);
CREATE INDEX ix_audit_log_project ON public.audit_log USING btree (tenant_id, project_id, at DESC, id DESC) WHERE (project_id IS NOT NULL);
CREATE INDEX ix_bulk_actions_agent ON public.bulk_actions USING btree (tenant_id, agent_id, created_at DESC, id DESC) WHERE (agent_id IS NOT NULL);
CREATE INDEX ix_bulk_actions_open ON public.bulk_actions USING btree (updated_at) WHERE (status = ANY (ARRAY['pending'::text, 'running'::text]));
CREATE INDEX ix_bulk_actions_project ON public.bulk_actions USING btree (tenant_id, project_id, created_at DESC, id DESC) WHERE (project_id IS NOT NULL);
CREATE INDEX ix_bulk_actions_tenant ON public.bulk_actions USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX ix_checkpoints_run_index ON public.checkpoints USING btree (tenant_id, run_id, index);
CREATE INDEX ix_checkpoints_step ON public.checkpoints USING btree (tenant_id, run_id, step_id) WHERE (step_id IS NOT NULL);
CREATE INDEX ix_deleted_runs_deleted_at ON public.deleted_runs USING btree (deleted_at);
CREATE INDEX ix_idempotency_keys_created_at ON public.idempotency_keys USING btree (created_at);
CREATE UNIQUE INDEX ix_messages_run_index ON public.messages USING btree (tenant_id, run_id, index);
CREATE INDEX ix_messages_step ON public.messages USING btree (tenant_id, run_id, step_id) WHERE (step_id IS NOT NULL);
CREATE INDEX ix_model_prices_tenant_id ON public.model_prices USING btree (tenant_id, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_model_prices_model ON public.model_prices USING btree (tenant_id, model, provider, valid_from) NULLS NOT DISTINCT;
CREATE INDEX ix_projects_tenant_id ON public.projects USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX ix_run_events_xid ON public.run_events USING btree (tenant_id, xid);
CREATE INDEX ix_runs_agent_id ON public.runs USING btree (tenant_id, agent_id, created_at DESC, id DESC);
CREATE INDEX ix_runs_leases ON public.runs USING btree (lease_expires_at) WHERE ((status = 'running'::text) AND (lease_expires_at IS NOT NULL));
CREATE INDEX ix_runs_offered ON public.runs USING btree (tenant_id, agent_id, created_at, id) WHERE ((status = 'pending'::text) AND (lease_token IS NULL));
CREATE INDEX ix_runs_open_traces ON public.runs USING btree (created_at) WHERE (from_trace AND (status = 'running'::text));
CREATE INDEX ix_runs_parent_run_id ON public.runs USING btree (tenant_id, parent_run_id, created_at DESC, id DESC) WHERE (parent_run_id IS NOT NULL);
CREATE INDEX ix_runs_project_id ON public.runs USING btree (tenant_id, project_id, created_at DESC, id DESC);
CREATE INDEX ix_runs_session_id ON public.runs USING btree (tenant_id, session_id, created_at DESC, id DESC) WHERE (session_id IS NOT NULL);
CREATE INDEX ix_runs_status ON public.runs USING btree (tenant_id, status, created_at DESC, id DESC);
CREATE INDEX ix_runs_tenant_created ON public.runs USING btree (tenant_id, created_at DESC, id DESC);
CREATE INDEX ix_runs_tenant_id ON public.runs USING btree (tenant_id, adapter, created_at DESC, id DESC);
CREATE UNIQUE INDEX uq_runs_external_id ON public.runs USING btree (tenant_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX ix_steps_parent ON public.steps USING btree (tenant_id, run_id, parent_step_id) WHERE (parent_step_id IS NOT NULL);
CREATE UNIQUE INDEX ix_steps_run_index ON public.steps USING btree (tenant_id, run_id, index);
CREATE INDEX ix_tool_calls_agent ON public.tool_calls USING btree (tenant_id, agent_id, run_id, created_at DESC, id DESC);
CREATE INDEX ix_tool_calls_run ON public.tool_calls USING btree (tenant_id, run_id, created_at, id) WHERE (run_id IS NOT NULL);
CREATE INDEX ix_tool_calls_step ON public.tool_calls USING btree (tenant_id, run_id, step_id, created_at, id) WHERE (step_id IS NOT NULL);

ALTER TABLE agent_versions ADD CONSTRAINT fk_agent_versions_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE agents ADD CONSTRAINT fk_agents_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects(tenant_id, id);
ALTER TABLE api_keys ADD CONSTRAINT fk_api_keys_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT fk_api_keys_created_by FOREIGN KEY (tenant_id, created_by) REFERENCES api_keys(tenant_id, id);
ALTER TABLE api_keys ADD CONSTRAINT fk_api_keys_organization FOREIGN KEY (tenant_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT fk_api_keys_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE api_keys ADD CONSTRAINT fk_api_keys_rotated_from FOREIGN KEY (tenant_id, rotated_from) REFERENCES api_keys(tenant_id, id);
ALTER TABLE approvals ADD CONSTRAINT fk_approvals_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE approvals ADD CONSTRAINT fk_approvals_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps(tenant_id, run_id, id);
ALTER TABLE approvals ADD CONSTRAINT fk_approvals_tool_call FOREIGN KEY (tenant_id, tool_call_id) REFERENCES tool_calls(tenant_id, id);
ALTER TABLE bulk_actions ADD CONSTRAINT fk_bulk_actions_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE bulk_actions ADD CONSTRAINT fk_bulk_actions_organization FOREIGN KEY (tenant_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE bulk_actions ADD CONSTRAINT fk_bulk_actions_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE checkpoints ADD CONSTRAINT fk_checkpoints_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE checkpoints ADD CONSTRAINT fk_checkpoints_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps(tenant_id, run_id, id);
ALTER TABLE deleted_runs ADD CONSTRAINT fk_deleted_runs_organization FOREIGN KEY (tenant_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE messages ADD CONSTRAINT fk_messages_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps(tenant_id, run_id, id);
ALTER TABLE model_prices ADD CONSTRAINT fk_model_prices_organization FOREIGN KEY (tenant_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE projects ADD CONSTRAINT fk_projects_organization FOREIGN KEY (tenant_id) REFERENCES organizations(id) ON DELETE CASCADE;
ALTER TABLE received_reports ADD CONSTRAINT fk_received_reports_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE runs ADD CONSTRAINT fk_runs_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, id);
ALTER TABLE runs ADD CONSTRAINT fk_runs_from_checkpoint FOREIGN KEY (tenant_id, parent_run_id, from_checkpoint_id) REFERENCES checkpoints(tenant_id, run_id, id) ON DELETE SET NULL (from_checkpoint_id);
ALTER TABLE runs ADD CONSTRAINT fk_runs_parent FOREIGN KEY (tenant_id, parent_run_id) REFERENCES runs(tenant_id, id) ON DELETE SET NULL (parent_run_id);
ALTER TABLE runs ADD CONSTRAINT fk_runs_project FOREIGN KEY (tenant_id, project_id) REFERENCES projects(tenant_id, id);
ALTER TABLE steps ADD CONSTRAINT fk_steps_parent FOREIGN KEY (tenant_id, run_id, parent_step_id) REFERENCES steps(tenant_id, run_id, id);
ALTER TABLE steps ADD CONSTRAINT fk_steps_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE tool_calls ADD CONSTRAINT fk_tool_calls_agent FOREIGN KEY (tenant_id, agent_id) REFERENCES agents(tenant_id, id);
ALTER TABLE tool_calls ADD CONSTRAINT fk_tool_calls_run FOREIGN KEY (tenant_id, run_id) REFERENCES runs(tenant_id, id) ON DELETE CASCADE;
ALTER TABLE tool_calls ADD CONSTRAINT fk_tool_calls_step FOREIGN KEY (tenant_id, run_id, step_id) REFERENCES steps(tenant_id, run_id, id);

CREATE TRIGGER agent_versions_immutable BEFORE DELETE OR UPDATE ON agent_versions FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER agent_versions_not_truncated BEFORE TRUNCATE ON agent_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER approvals_decided_once BEFORE UPDATE OF status, answer, reason, decided_by, decided_at ON approvals FOR EACH ROW WHEN (old.status <> 'pending'::text) EXECUTE FUNCTION guard_approval();
CREATE TRIGGER audit_log_immutable BEFORE DELETE OR UPDATE ON audit_log FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER audit_log_not_truncated BEFORE TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER bulk_actions_end_once BEFORE UPDATE ON bulk_actions FOR EACH ROW WHEN (old.ended_at IS NOT NULL) EXECUTE FUNCTION guard_bulk_action();
CREATE TRIGGER checkpoints_immutable BEFORE DELETE OR UPDATE ON checkpoints FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER checkpoints_not_truncated BEFORE TRUNCATE ON checkpoints FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fk_messages_run AFTER INSERT ON messages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_runs();
CREATE TRIGGER messages_immutable BEFORE DELETE OR UPDATE ON messages FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER messages_not_truncated BEFORE TRUNCATE ON messages FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER fk_run_events_run AFTER INSERT ON run_events REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION refer_to_runs();
CREATE TRIGGER run_events_immutable BEFORE DELETE OR UPDATE ON run_events FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER run_events_not_truncated BEFORE TRUNCATE ON run_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER runs_begin_waiting BEFORE INSERT ON runs FOR EACH ROW WHEN (new.status = 'waiting_human'::text) EXECUTE FUNCTION count_waiting();
CREATE TRIGGER runs_count_waiting BEFORE UPDATE OF status ON runs FOR EACH ROW WHEN ((old.status = 'waiting_human'::text) <> (new.status = 'waiting_human'::text)) EXECUTE FUNCTION count_waiting();
CREATE TRIGGER runs_forget_checkpoint BEFORE UPDATE OF parent_run_id ON runs FOR EACH ROW WHEN (new.parent_run_id IS NULL) EXECUTE FUNCTION forget_checkpoint();
CREATE TRIGGER runs_guarded BEFORE UPDATE OF status, ended_at, tenant_id, id, project_id, agent_id, agent_version, created_at ON runs FOR EACH ROW WHEN (old.status IS DISTINCT FROM new.status OR old.ended_at IS DISTINCT FROM new.ended_at OR old.tenant_id <> new.tenant_id OR old.id <> new.id OR old.project_id <> new.project_id OR old.agent_id <> new.agent_id OR old.agent_version <> new.agent_version OR old.created_at <> new.created_at) EXECUTE FUNCTION guard_run();
CREATE TRIGGER runs_move_approvals AFTER UPDATE OF project_id, agent_id ON runs FOR EACH ROW WHEN (old.project_id <> new.project_id OR old.agent_id <> new.agent_id) EXECUTE FUNCTION move_approvals();
CREATE TRIGGER runs_take_along AFTER DELETE ON runs FOR EACH ROW EXECUTE FUNCTION take_along();

ALTER TABLE agent_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_versions FORCE ROW LEVEL SECURITY;
ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE approvals ENABLE ROW LEVEL SECURITY;
ALTER TABLE approvals FORCE ROW LEVEL SECURITY;
ALTER TABLE audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_log FORCE ROW LEVEL SECURITY;
ALTER TABLE bulk_actions ENABLE ROW LEVEL SECURITY;
ALTER TABLE bulk_actions FORCE ROW LEVEL SECURITY;
ALTER TABLE checkpoints ENABLE ROW LEVEL SECURITY;
ALTER TABLE checkpoints FORCE ROW LEVEL SECURITY;
ALTER TABLE deleted_runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE deleted_runs FORCE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
ALTER TABLE messages ENABLE ROW LEVEL SECURITY;
ALTER TABLE messages FORCE ROW LEVEL SECURITY;
ALTER TABLE model_prices ENABLE ROW LEVEL SECURITY;
ALTER TABLE model_prices FORCE ROW LEVEL SECURITY;
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
ALTER TABLE projects ENABLE ROW LEVEL SECURITY;
ALTER TABLE projects FORCE ROW LEVEL SECURITY;
ALTER TABLE received_reports ENABLE ROW LEVEL SECURITY;
ALTER TABLE received_reports FORCE ROW LEVEL SECURITY;
ALTER TABLE run_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE run_events FORCE ROW LEVEL SECURITY;
ALTER TABLE runs ENABLE ROW LEVEL SECURITY;
ALTER TABLE runs FORCE ROW LEVEL SECURITY;
ALTER TABLE steps ENABLE ROW LEVEL SECURITY;
ALTER TABLE steps FORCE ROW LEVEL SECURITY;
ALTER TABLE tool_calls ENABLE ROW LEVEL SECURITY;
ALTER TABLE tool_calls FORCE ROW LEVEL SECURITY;

CREATE POLICY scope ON agent_versions AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM agents
      WHERE ((agents.tenant_id = agent_versions.tenant_id) AND (agents.id = agent_versions.agent_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM agents
      WHERE ((agents.tenant_id = agent_versions.tenant_id) AND (agents.id = agent_versions.agent_id))
     OFFSET 0)) THEN true
    ELSE sees_agent(tenant_id, agent_id, NULL::uuid)
END);

CREATE POLICY tenant ON agent_versions TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON agent_versions FOR SELECT TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY authentication ON agents FOR SELECT TO agentflow_owner
  USING (true);

CREATE POLICY scope ON agents AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON agents TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON agents TO agentflow_worker
  USING (true);

CREATE POLICY authentication ON api_keys FOR SELECT TO agentflow_owner
  USING (true);

CREATE POLICY last_use ON api_keys FOR UPDATE TO agentflow_owner
  USING (true);

CREATE POLICY pair ON api_keys AS RESTRICTIVE FOR INSERT TO agentflow_app
  WITH CHECK (((agent_id IS NULL) OR sees_agent(tenant_id, agent_id, project_id)));

CREATE POLICY scope ON api_keys AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON api_keys TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON api_keys FOR SELECT TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY ending ON approvals AS RESTRICTIVE FOR UPDATE TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY pair ON approvals AS RESTRICTIVE FOR INSERT TO agentflow_app
  WITH CHECK ((EXISTS ( SELECT
   FROM runs
  WHERE ((runs.tenant_id = approvals.tenant_id) AND (runs.id = approvals.run_id) AND (runs.project_id = approvals.project_id) AND (runs.agent_id = approvals.agent_id))
 OFFSET 0)));

CREATE POLICY scope ON approvals AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON approvals TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON approvals TO agentflow_worker
  USING (true);

CREATE POLICY scope ON audit_log AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON audit_log TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON audit_log FOR INSERT TO agentflow_worker
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY doing ON bulk_actions AS RESTRICTIVE FOR UPDATE TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY scope ON bulk_actions AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON bulk_actions TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON bulk_actions TO agentflow_worker
  USING (true);

CREATE POLICY scope ON checkpoints AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = checkpoints.tenant_id) AND (runs.id = checkpoints.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = checkpoints.tenant_id) AND (runs.id = checkpoints.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON checkpoints TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY scope ON deleted_runs AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON deleted_runs TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON deleted_runs TO agentflow_worker
  USING (true);

CREATE POLICY scope ON idempotency_keys AS RESTRICTIVE TO agentflow_app
  USING ((scope_id =
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN tenant_id
    WHEN 'project'::text THEN (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid
    WHEN 'agent'::text THEN (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid
    ELSE NULL::uuid
END));

CREATE POLICY tenant ON idempotency_keys TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON idempotency_keys TO agentflow_worker
  USING (true);

CREATE POLICY leaving ON messages FOR DELETE TO agentflow_owner
  USING ((pg_trigger_depth() > 0));

CREATE POLICY leaving_seen ON messages FOR SELECT TO agentflow_owner
  USING ((pg_trigger_depth() > 0));

CREATE POLICY scope ON messages AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = messages.tenant_id) AND (runs.id = messages.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = messages.tenant_id) AND (runs.id = messages.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON messages TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY adding ON model_prices AS RESTRICTIVE FOR INSERT TO agentflow_app
  WITH CHECK ((current_setting('agentflow.scope'::text, true) = 'organization'::text));

CREATE POLICY removing ON model_prices AS RESTRICTIVE FOR DELETE TO agentflow_app
  USING ((current_setting('agentflow.scope'::text, true) = 'organization'::text));

CREATE POLICY tenant ON model_prices TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY authentication ON organizations FOR SELECT TO agentflow_owner
  USING (true);

CREATE POLICY scope ON organizations AS RESTRICTIVE FOR UPDATE TO agentflow_app
  USING ((current_setting('agentflow.scope'::text, true) = 'organization'::text));

CREATE POLICY tenant ON organizations TO agentflow_app
  USING ((id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY authentication ON projects FOR SELECT TO agentflow_owner
  USING (true);

CREATE POLICY scope ON projects AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON projects TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY scope ON received_reports AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = received_reports.tenant_id) AND (runs.id = received_reports.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = received_reports.tenant_id) AND (runs.id = received_reports.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON received_reports TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON received_reports TO agentflow_worker
  USING (true);

CREATE POLICY leaving ON run_events FOR DELETE TO agentflow_owner
  USING ((pg_trigger_depth() > 0));

CREATE POLICY leaving_seen ON run_events FOR SELECT TO agentflow_owner
  USING ((pg_trigger_depth() > 0));

CREATE POLICY scope ON run_events AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = run_events.tenant_id) AND (runs.id = run_events.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = run_events.tenant_id) AND (runs.id = run_events.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON run_events TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON run_events FOR INSERT TO agentflow_worker
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY copying ON runs AS RESTRICTIVE FOR INSERT TO agentflow_worker
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY ending ON runs AS RESTRICTIVE FOR UPDATE TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY pair ON runs AS RESTRICTIVE FOR INSERT TO agentflow_app
  WITH CHECK (
CASE
    WHEN (EXISTS ( SELECT
       FROM agents
      WHERE ((agents.tenant_id = runs.tenant_id) AND (agents.id = runs.agent_id) AND (agents.project_id = runs.project_id)))) THEN true
    ELSE sees_agent(tenant_id, agent_id, project_id)
END);

CREATE POLICY scope ON runs AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    WHEN 'project'::text THEN (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid)
    WHEN 'agent'::text THEN (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid)
    ELSE false
END);

CREATE POLICY tenant ON runs TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY work ON runs AS RESTRICTIVE TO agentflow_worker
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN (tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid)
    WHEN 'project'::text THEN ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid) AND (project_id = (NULLIF(current_setting('agentflow.project_id'::text, true), ''::text))::uuid))
    WHEN 'agent'::text THEN ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid) AND (agent_id = (NULLIF(current_setting('agentflow.agent_id'::text, true), ''::text))::uuid))
    ELSE true
END);

CREATE POLICY worker ON runs TO agentflow_worker
  USING (true);

CREATE POLICY scope ON steps AS RESTRICTIVE TO agentflow_app
  USING (
CASE current_setting('agentflow.scope'::text, true)
    WHEN 'organization'::text THEN true
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = steps.tenant_id) AND (runs.id = steps.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = steps.tenant_id) AND (runs.id = steps.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON steps TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON steps TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY ending ON tool_calls AS RESTRICTIVE FOR UPDATE TO agentflow_worker
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY scope ON tool_calls AS RESTRICTIVE TO agentflow_app
  USING (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (run_id IS NULL) THEN (EXISTS ( SELECT
       FROM agents
      WHERE ((agents.tenant_id = tool_calls.tenant_id) AND (agents.id = tool_calls.agent_id))
     OFFSET 0))
    ELSE (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = tool_calls.tenant_id) AND (runs.id = tool_calls.run_id))
     OFFSET 0))
END)
  WITH CHECK (
CASE
    WHEN (current_setting('agentflow.scope'::text, true) = 'organization'::text) THEN true
    WHEN (run_id IS NULL) THEN sees_agent(tenant_id, agent_id, NULL::uuid)
    WHEN (EXISTS ( SELECT
       FROM runs
      WHERE ((runs.tenant_id = tool_calls.tenant_id) AND (runs.id = tool_calls.run_id))
     OFFSET 0)) THEN true
    ELSE sees_run(tenant_id, run_id)
END);

CREATE POLICY tenant ON tool_calls TO agentflow_app
  USING ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid))
  WITH CHECK ((tenant_id = (NULLIF(current_setting('agentflow.tenant_id'::text, true), ''::text))::uuid));

CREATE POLICY worker ON tool_calls TO agentflow_worker
  USING (true);

REVOKE ALL ON FUNCTION authenticate_key(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION authenticate_key(text) TO agentflow_app;
REVOKE ALL ON FUNCTION is_founded() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_founded() TO agentflow_app;
REVOKE ALL ON FUNCTION take_along() FROM PUBLIC;
REVOKE ALL ON FUNCTION touch_keys(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION touch_keys(text[]) TO agentflow_app;
GRANT INSERT, SELECT ON TABLE agent_versions TO agentflow_app;
GRANT SELECT (tenant_id, agent_id, version, adapter) ON TABLE agent_versions TO agentflow_worker;
GRANT DELETE, INSERT, SELECT, UPDATE (name, description, adapter, config, version, deleting_since, updated_at) ON TABLE agents TO agentflow_app;
GRANT DELETE, SELECT ON TABLE agents TO agentflow_worker;
GRANT INSERT, SELECT (tenant_id, id, scope, project_id, agent_id, role, name, public_id, hint, expires_at, revoked_at, rotated_from, grace_until, created_by, last_used_at, created_at, updated_at), UPDATE (name, revoked_at, grace_until, updated_at) ON TABLE api_keys TO agentflow_app;
GRANT SELECT (tenant_id, id, role, name, public_id, expires_at, revoked_at, grace_until) ON TABLE api_keys TO agentflow_worker;
GRANT INSERT, SELECT, UPDATE (project_id, agent_id, status, answer, reason, decided_by, decided_at, updated_at) ON TABLE approvals TO agentflow_app;
GRANT SELECT (tenant_id, id, run_id, step_id, tool_call_id, index, kind, is_implicit, due_at, on_due, status, answer, reason, created_at), UPDATE (status, answer, reason, decided_by, decided_at, updated_at) ON TABLE approvals TO agentflow_worker;
GRANT INSERT, SELECT ON TABLE audit_log TO agentflow_app;
GRANT INSERT ON TABLE audit_log TO agentflow_worker;
GRANT INSERT, SELECT, UPDATE (status, cancel_reason, ended_at, updated_at) ON TABLE bulk_actions TO agentflow_app;
GRANT SELECT, UPDATE (status, cancel_reason, after_created_at, after_id, done, failed, skipped, errors, started_at, ended_at, updated_at) ON TABLE bulk_actions TO agentflow_worker;
GRANT INSERT, SELECT ON TABLE checkpoints TO agentflow_app;
GRANT INSERT, SELECT, UPDATE (deleted_at) ON TABLE deleted_runs TO agentflow_app;
GRANT DELETE, INSERT, SELECT, UPDATE (deleted_at) ON TABLE deleted_runs TO agentflow_worker;
GRANT INSERT, SELECT, UPDATE (method, route, request_digest, status, response, created_at) ON TABLE idempotency_keys TO agentflow_app;
GRANT DELETE, SELECT ON TABLE idempotency_keys TO agentflow_worker;
GRANT INSERT, SELECT ON TABLE messages TO agentflow_app;
GRANT DELETE, INSERT, SELECT ON TABLE model_prices TO agentflow_app;
GRANT INSERT, SELECT, UPDATE (name, settings, updated_at) ON TABLE organizations TO agentflow_app;
GRANT DELETE, INSERT, SELECT, UPDATE (name, description, updated_at) ON TABLE projects TO agentflow_app;
GRANT INSERT, SELECT, UPDATE (mapping_version) ON TABLE received_reports TO agentflow_app;
GRANT SELECT (tenant_id, run_id, dialect, mapping_version, received_at) ON TABLE received_reports TO agentflow_worker;
GRANT INSERT, SELECT ON TABLE run_events TO agentflow_app;
GRANT INSERT ON TABLE run_events TO agentflow_worker;
GRANT DELETE, INSERT, SELECT, UPDATE (project_id, agent_id, agent_version, adapter, status, name, input, output, error, error_type, metadata, tags, session_id, external_id, parent_run_id, origin, started_at, ended_at, lease_seconds, lease_token, lease_expires_at, last_move, waiting_for, resume_input, next_step_index, next_message_index, next_checkpoint_index, last_event_seq, failed_steps, tool_calls, failed_tool_calls, tokens_in, tokens_out, cost_usd, quality_score, updated_at, announced, moved_at, from_trace, ended_by_trace, last_event_xid) ON TABLE runs TO agentflow_app;
GRANT DELETE, INSERT, SELECT, UPDATE (status, output, error, error_type, started_at, ended_at, lease_seconds, lease_token, lease_expires_at, last_move, waiting_for, resume_input, last_event_seq, failed_steps, failed_tool_calls, updated_at, last_event_xid) ON TABLE runs TO agentflow_worker;
GRANT SELECT ON TABLE schema_migrations TO PUBLIC;
GRANT INSERT, SELECT, UPDATE (node, kind, status, parent_step_id, input, output, error, error_type, latency_ms, tokens_in, tokens_out, token_details, cost_usd, tokens_below, cost_below, model, provider, agent_role, tier, retry_count, metadata, started_at, ended_at, external_id, updated_at, cost_source, announced, settled, said) ON TABLE steps TO agentflow_app;
GRANT SELECT (tenant_id, run_id, id, index, node, status, parent_step_id, error_type, latency_ms, metadata, started_at, ended_at), UPDATE (status, error_type, latency_ms, metadata, ended_at, updated_at) ON TABLE steps TO agentflow_worker;
GRANT DELETE, INSERT, SELECT, UPDATE (agent_id, step_id, name, status, arguments, result, error, error_type, latency_ms, provider_call_id, metadata, started_at, ended_at, updated_at, announced) ON TABLE tool_calls TO agentflow_app;
GRANT DELETE, SELECT, UPDATE (status, error_type, latency_ms, metadata, ended_at, updated_at) ON TABLE tool_calls TO agentflow_worker;
