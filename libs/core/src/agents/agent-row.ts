import type { RawJson } from '@agentflow/domain';

/** An agent as it is stored. */
export interface AgentRow {
  id: string;
  project_id: string;
  name: string;
  description: string | null;
  adapter: string;
  config: RawJson;
  version: number;
  created_at: string;
  updated_at: string;
}

/** One immutable snapshot of an agent's definition. */
export interface AgentVersionRow {
  agent_id: string;
  version: number;
  adapter: string;
  config: RawJson;
  description: string | null;
  note: string | null;
  created_at: string;
}
