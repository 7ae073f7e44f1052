import { AUDIT_ACTIONS, type AuditAction, type AuditActor, type AuditEntity } from '@agentflow/contracts';
import type { Slice, Transaction } from '@agentflow/database';
import { filteredList } from '../../lists/filtered-list.js';
import type { AuditEntryRow } from '../act.js';

export interface AuditFilters {
  actor?: AuditActor;
  actor_key_id?: string;
  action?: readonly AuditAction[];
  entity_type?: AuditEntity;
  entity_id?: string;
  project_id?: string;
  agent_id?: string;
  at_after?: string;
  at_before?: string;
}

const COLUMNS = `id, at, actor, key_id, key_public_id, key_name, key_role, action, entity_type, entity_id, project_id, agent_id,
  before, after, request_id`;

const actList = filteredList<Omit<AuditFilters, 'entity_type'>, AuditEntryRow>({
  ...{ name: 'list-acts', from: 'audit_log', columns: COLUMNS, time: 'at' },
  conditions: [
    ['actor', (p) => `actor = ${p}`],
    ['actor_key_id', (p) => `key_id = ${p}::uuid`],
    ['entity_id', (p) => `entity_id = ${p}::uuid`],
    ['project_id', (p) => `project_id = ${p}::uuid`],
    ['agent_id', (p) => `agent_id = ${p}::uuid`],
    ['at_after', (p) => `at > ${p}::timestamptz`],
    ['at_before', (p) => `at < ${p}::timestamptz`],
  ],
  merged: 'action',
});

/** The entries that the scope sees and the filters let through, newest first. A kind of thing stands for the actions on it. */
export async function listActs(
  tx: Transaction,
  { entity_type, ...filters }: AuditFilters,
  slice: Slice,
): Promise<AuditEntryRow[]> {
  const action = actionsOf(filters.action, entity_type);
  if (action?.length === 0) return [];
  const { statement, values } = actList(tx, { ...filters, action }, slice);
  return tx.rows(statement, values);
}

/** Undefined: all. */
function actionsOf(
  asked: readonly AuditAction[] | undefined,
  entity: AuditEntity | undefined,
): readonly AuditAction[] | undefined {
  if (entity === undefined) return asked;
  return (asked ?? AUDIT_ACTIONS).filter((action) => action.startsWith(`${entity}.`));
}
