import type { ClientBase } from 'pg';
import type { Middle } from './middle.js';

/**
 * Fills the tables as years of use do: a few organizations, projects, agents and adapters have most of the runs, and
 * nearly all runs have succeeded. The drawing is the same every time. Needs a superuser, for the rows come past
 * triggers and foreign keys; statistics are left as they are.
 */
export async function aCrowd(client: ClientBase, middle: Middle): Promise<void> {
  const { tenantId, projectId, agentId, runId, stepId, keyId } = middle;
  await client.query('SET session_replication_role = replica');
  await client.query('SELECT setseed(0.42)');
  await client.query(MIDDLE);
  await client.query('INSERT INTO middle VALUES ($1, $2, $3, $4, $5, $6)', [
    ...[tenantId, projectId, agentId, runId, stepId, keyId],
  ]);
  for (const statement of [ORGANIZATIONS, PROJECTS, AGENTS, VERSIONS, RUNS]) await client.query(statement);
  for (const statement of [STEPS, MESSAGES, CHECKPOINTS, TOOL_CALLS, EVENTS, APPROVALS, ACTS, BULK_ACTIONS])
    await client.query(statement);
  await client.query('SET session_replication_role = DEFAULT');
}

/** A whole number below that count; the small ones are drawn much more often than the large ones. */
const drawn = (count: number, skew: number): string => `floor(${count} * power(random(), ${skew}))::integer`;

const MIDDLE = `
  CREATE TEMP TABLE middle (tenant_id uuid, project_id uuid, agent_id uuid, run_id uuid, step_id uuid,
    key_id uuid)`;

/** In every table of numbers, 0 is the middle. */
const ORGANIZATIONS = `
  CREATE TEMP TABLE crowd_organizations AS
    SELECT 0 AS n, tenant_id AS id FROM middle
    UNION ALL SELECT n, gen_random_uuid() FROM generate_series(1, 20) n;
  INSERT INTO organizations (id, slug, name)
    SELECT id, 'crowd-' || n, 'crowd ' || n FROM crowd_organizations WHERE n > 0`;

const PROJECTS = `
  CREATE TEMP TABLE crowd_projects AS
    SELECT 0 AS n, tenant_id, project_id AS id FROM middle
    UNION ALL
    SELECT p.n, o.id, gen_random_uuid()
    FROM (SELECT n, ${drawn(21, 4)} AS o FROM generate_series(1, 2999) n) p JOIN crowd_organizations o ON o.n = p.o;
  INSERT INTO projects (tenant_id, id, name, created_at)
    SELECT tenant_id, id, 'crowd ' || n, now() - n * interval '1 hour' FROM crowd_projects WHERE n > 0`;

const AGENTS = `
  CREATE TEMP TABLE crowd_agents AS
    SELECT 0 AS n, tenant_id, project_id, agent_id AS id FROM middle
    UNION ALL
    SELECT a.n, p.tenant_id, p.id, gen_random_uuid()
    FROM (SELECT n, ${drawn(3000, 3)} AS p FROM generate_series(1, 3999) n) a JOIN crowd_projects p ON p.n = a.p;
  INSERT INTO agents (tenant_id, id, project_id, name, adapter, created_at)
    SELECT tenant_id, id, project_id, 'crowd ' || n, 'langgraph', now() - n * interval '1 hour'
    FROM crowd_agents WHERE n > 0`;

const VERSIONS = `
  INSERT INTO agent_versions (tenant_id, id, agent_id, version, adapter, config)
    SELECT tenant_id, gen_random_uuid(), id, v, 'langgraph', '{}'
    FROM crowd_agents, generate_series(101, CASE n WHEN 0 THEN 600 ELSE 103 END) v`;

const RUNS = `
  INSERT INTO runs (tenant_id, id, project_id, agent_id, agent_version, adapter, status, ended_at, created_at)
    SELECT a.tenant_id, gen_random_uuid(), a.project_id, a.id, 1,
      CASE WHEN r.adapter < 0.7 THEN 'langgraph' WHEN r.adapter < 0.95 THEN 'openai-agents'
        WHEN r.adapter < 0.998 THEN 'ai-sdk' ELSE 'custom' END,
      s.status, CASE WHEN s.status NOT IN ('pending', 'running', 'waiting_human') THEN now() END,
      now() - (r.n * 10 + random()) * interval '1 second'
    FROM (SELECT n, ${drawn(4000, 3)} AS a, random() AS adapter, random() AS status
      FROM generate_series(1, 100000) n) r
    JOIN crowd_agents a ON a.n = r.a
    CROSS JOIN LATERAL (SELECT CASE WHEN r.status < 0.9 THEN 'succeeded' WHEN r.status < 0.96 THEN 'failed'
      WHEN r.status < 0.99 THEN 'cancelled' WHEN r.status < 0.996 THEN 'running'
      WHEN r.status < 0.998 THEN 'waiting_human' ELSE 'pending' END AS status) s`;

/** Every tenth run has a few children, and the middle's has thousands; the numbers go on from what is there. */
const EACH_CHILD = `
  SELECT tenant_id, agent_id, id AS run_id, n FROM runs, generate_series(1000, 1002) n
    WHERE hashtext(id::text) % 10 = 0 AND id <> (SELECT run_id FROM middle)
  UNION ALL SELECT tenant_id, agent_id, run_id, n FROM middle, generate_series(1000, 5999) n`;

const STEPS = `
  INSERT INTO steps (tenant_id, run_id, id, index, node, status)
    SELECT tenant_id, run_id, gen_random_uuid(), n, 'plan', 'succeeded' FROM (${EACH_CHILD}) c`;

const MESSAGES = `
  INSERT INTO messages (tenant_id, run_id, id, index, role, content)
    SELECT tenant_id, run_id, gen_random_uuid(), n, 'user', 'Hello' FROM (${EACH_CHILD}) c`;

const CHECKPOINTS = `
  INSERT INTO checkpoints (tenant_id, run_id, id, index, state, state_bytes)
    SELECT tenant_id, run_id, gen_random_uuid(), n, '{}', 2 FROM (${EACH_CHILD}) c`;

/** Every tenth call of the middle's run belongs to its step, the others to one of their own each. */
const TOOL_CALLS = `
  INSERT INTO tool_calls (tenant_id, id, agent_id, run_id, step_id, name, status, created_at)
    SELECT c.tenant_id, gen_random_uuid(), c.agent_id, c.run_id,
      CASE WHEN c.run_id = m.run_id AND n % 10 = 0 THEN m.step_id ELSE gen_random_uuid() END, 'search', 'succeeded',
      now() + n * interval '1 millisecond'
    FROM (${EACH_CHILD}) c, middle m`;

/** As if each had been written by a transaction of its own, all of them before those of the test. */
const EVENTS = `
  INSERT INTO run_events (tenant_id, run_id, seq, xid, type)
    SELECT tenant_id, run_id, n, -row_number() OVER (), 'step.started' FROM (${EACH_CHILD}) c`;

/** One for every fourth run and many for the middle's; a tenth is undecided, some desks have most, and a hundredth has a due time. */
const APPROVALS = `
  INSERT INTO approvals (tenant_id, id, run_id, project_id, agent_id, index, kind, allowed, assignee, status, decided_at,
    due_at, on_due, created_at)
    SELECT a.tenant_id, gen_random_uuid(), a.run_id, a.project_id, a.agent_id, a.n, 'gate', '["approve"]', 'desk ' || a.n % 7,
      CASE WHEN a.n % 10 = 0 THEN 'pending' ELSE 'approved' END, CASE WHEN a.n % 10 > 0 THEN now() END,
      CASE WHEN a.n % 100 = 0 THEN now() + interval '1 day' END, CASE WHEN a.n % 100 = 0 THEN 'reject' END,
      now() - (a.n + random()) * interval '1 second'
    FROM (
      SELECT tenant_id, id AS run_id, project_id, agent_id, (row_number() OVER (ORDER BY id))::integer AS n FROM runs
        WHERE hashtext(id::text) % 4 = 0
      UNION ALL SELECT tenant_id, run_id, project_id, agent_id, n FROM middle, generate_series(1, 3000) n
    ) a`;

/** Whatever was done to runs: mostly with one key, and now and then to the middle's own run. */
const ACTS = `
  INSERT INTO audit_log (tenant_id, id, at, actor, key_id, action, entity_type, entity_id, project_id, agent_id)
    SELECT a.tenant_id, gen_random_uuid(), now() - (t.n * 10 + random()) * interval '1 second', 'key',
      CASE WHEN t.n % 3 = 0 THEN gen_random_uuid() ELSE m.key_id END, t.action, 'run',
      CASE WHEN a.id = m.agent_id AND t.n % 4 = 0 THEN m.run_id ELSE gen_random_uuid() END, a.project_id, a.id
    FROM (SELECT n, ${drawn(4000, 3)} AS a, CASE WHEN random() < 0.95 THEN 'run.cancelled' ELSE 'run.deleted' END AS action
      FROM generate_series(1, 50000) n) t
    JOIN crowd_agents a ON a.n = t.a, middle m`;

/** Those of the middle's organization, of its projects and of its agents; one in a thousand has not ended, and comes to nothing. */
const BULK_ACTIONS = `
  INSERT INTO bulk_actions (tenant_id, id, scope, project_id, agent_id, action, ids, after_id, created_by, status, ended_at,
    created_at)
    SELECT tenant_id, gen_random_uuid(), scope, CASE WHEN scope <> 'organization' THEN project_id END,
      CASE scope WHEN 'agent' THEN id END, 'cancel', ARRAY[gen_random_uuid()], '00000000-0000-0000-0000-000000000000',
      gen_random_uuid(), CASE WHEN a.n % 1000 = 0 THEN 'pending' ELSE 'succeeded' END, CASE WHEN a.n % 1000 > 0 THEN now() END,
      now() - (a.n * 10 + random()) * interval '1 second'
    FROM (SELECT n, floor(400 * power(random(), 3))::integer AS agent,
        (ARRAY['organization', 'project', 'agent'])[1 + n % 3] AS scope FROM generate_series(1, 5000) n) a
    JOIN crowd_agents ON crowd_agents.n = a.agent WHERE tenant_id = (SELECT tenant_id FROM middle)`;
