import type { AuditAction, AuditActor, AuditEntity, Role } from '@agentflow/contracts';
import type { Actor } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';

/** Whoever acts, as far as the audit log names him. */
export type Performer = Pick<Actor, 'keyId' | 'requestId'>;

/** The product by itself. */
export const THE_PRODUCT: Performer = { keyId: null };

/** What the audit log keeps of a value: short, and neither a secret nor a payload. */
type Told = string | number | boolean | null | undefined;

/** What somebody did. */
export interface Act {
  action: AuditAction;
  /** What it was done to; its kind is the first part of the action. */
  entityId: string;
  /** Where that is; both absent for what belongs to the organization as a whole. */
  projectId?: string | null;
  agentId?: string | null;
  /** What changed by it. */
  before?: Readonly<Record<string, Told>>;
  after?: Readonly<Record<string, Told>>;
}

/** One entry of the audit log. */
export interface AuditEntryRow {
  id: string;
  at: string;
  actor: AuditActor;
  key_id: string | null;
  key_public_id: string | null;
  key_name: string | null;
  key_role: Role | null;
  action: AuditAction;
  entity_type: AuditEntity;
  entity_id: string;
  project_id: string | null;
  agent_id: string | null;
  before: RawJson | null;
  after: RawJson | null;
  request_id: string | null;
}

/** Who that is: each request comes from the holder of a key or from the operator. */
export function actorOf({ keyId, requestId }: Performer): AuditActor {
  if (keyId !== null) return 'key';
  return requestId === undefined ? 'system' : 'root';
}
