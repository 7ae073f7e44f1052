import type { MessageRole } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** A message as it is stored. */
export interface MessageRow {
  id: string;
  run_id: string;
  step_id: string | null;
  index: number;
  role: MessageRole;
  name: string | null;
  content: string | null;
  tool_call_id: string | null;
  extra: RawJson | null;
  /** When it was sent, by the reporter's clock; unknown for one that came by itself. */
  at: string | null;
  created_at: string;
}

/** A message as it is reported. */
export interface NewMessage {
  id?: string;
  step_id?: string;
  role: MessageRole;
  name?: string;
  content?: string | null;
  tool_call_id?: string;
  extra?: RawJson;
}
