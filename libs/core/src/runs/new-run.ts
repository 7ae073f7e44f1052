import { RawJson } from '@agentflow/domain';
import { randomUUID } from 'node:crypto';
import { v7 as newId } from 'uuid';
import type { AgentReference } from '../agents/agent-registry.js';
import type { AgentRow } from '../agents/agent-row.js';
import type { RunDraft } from './sql/insert-run.js';

/** A run as it is created; its agent by id, or by name. */
export interface NewRun {
  id?: string;
  agent_id?: string;
  agent?: AgentReference;
  project_id?: string;
  adapter?: string;
  name?: string;
  input?: RawJson;
  metadata?: RawJson;
  tags?: string[];
  session_id?: string;
  external_id?: string;
  parent_run_id?: string;
  lease_seconds?: number;
  started_at?: string;
  start?: boolean;
}

/** The agent of a run, and the version that it is pinned to; without one, the agent's present one. */
export type PinnedAgent = Pick<AgentRow, 'id'> & Partial<Pick<AgentRow, 'version' | 'adapter'>>;

/** The row that a creation becomes. */
export function runDraft(run: NewRun, agent: PinnedAgent, actor: string | null): RunDraft {
  return {
    id: run.id ?? newId(),
    agent_id: agent.id,
    agent_version: agent.version ?? null,
    agent_adapter: agent.adapter ?? null,
    start: run.start ?? false,
    adapter: run.adapter ?? null,
    name: run.name ?? null,
    input: run.input ?? null,
    metadata: run.metadata ?? null,
    tags: run.tags === undefined ? null : RawJson.trusted(JSON.stringify(run.tags)),
    session_id: run.session_id ?? null,
    external_id: run.external_id ?? null,
    parent_run_id: run.parent_run_id ?? null,
    lease_seconds: run.lease_seconds ?? null,
    lease_token: run.lease_seconds === undefined ? null : randomUUID(),
    started_at: run.started_at ?? null,
    actor,
  };
}
