import { AUDIT_ACTIONS, type AuditAction, type AuditActor, type AuditEntity } from '@agentflow/contracts';
import {
  scopeColumns,
  sql,
  type Parameter,
  type Slice,
  type Statement,
  type Transaction,
} from '@agentflow/database';
import type { AuditEntryRow } from '../act.js';

export interface AuditFilters {
  actor?: AuditActor;
  actor_key_id?: string;
  action?: AuditAction[];
  entity_type?: AuditEntity;
  entity_id?: string;
  project_id?: string;
  agent_id?: string;
  at_after?: string;
  at_before?: string;
}

const COLUMNS = `id, at, actor, key_id, key_public_id, key_name, key_role, action, entity_type, entity_id, project_id, agent_id,
  before, after, request_id`;

type Condition = (parameter: string) => string;

/** One condition a filter; the order is that of the text, so that equal filters make equal texts. */
const CONDITIONS: [keyof Omit<AuditFilters, 'action' | 'entity_type'>, Condition][] = [
  ['actor', (p) => `actor = ${p}`],
  ['actor_key_id', (p) => `key_id = ${p}::uuid`],
  ['entity_id', (p) => `entity_id = ${p}::uuid`],
  ['project_id', (p) => `project_id = ${p}::uuid`],
  ['agent_id', (p) => `agent_id = ${p}::uuid`],
  ['at_after', (p) => `at > ${p}::timestamptz`],
  ['at_before', (p) => `at < ${p}::timestamptz`],
];

const ORDERED = 'ORDER BY at DESC, id DESC';
const STATEMENTS = new Map<string, Statement<AuditEntryRow>>();

/**
 * The entries that the scope sees and the filters let through, newest first. A kind of thing stands for the actions on it, and
 * each action is read in the order of an index of its own; the few first rows of each are merged. Statements differ by which
 * filters are given and by the number of actions: a few hundred texts at most.
 */
export async function listActs(
  tx: Transaction,
  filters: AuditFilters,
  slice: Slice,
): Promise<AuditEntryRow[]> {
  const asked = actionsOf(filters);
  if (asked?.length === 0) return [];
  const values: Parameter[] = [];
  const bind = (value: Parameter): string => `$${values.push(value)}`;
  const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
  const conditions = [`tenant_id = ${bind(tenantId)}`];
  if (projectId !== null) conditions.push(`project_id = ${bind(projectId)}::uuid`);
  if (agentId !== null) conditions.push(`agent_id = ${bind(agentId)}::uuid`);
  const given = CONDITIONS.filter(([name]) => filters[name] !== undefined);
  for (const [name, condition] of given) conditions.push(condition(bind(filters[name])));
  if (slice.after) {
    const [at, after] = slice.after;
    conditions.push(`(at, id) < (${bind(at)}::timestamptz, ${bind(after)}::uuid)`);
  }
  const actions = (asked ?? []).map((action) => bind(action));
  const limit = bind(slice.limit);
  const names = given.map(([name]) => name);
  const shape = [tx.scope.kind, ...names, slice.after ? 'after' : '', actions.length].join('+');
  const statement = STATEMENTS.get(shape) ?? statementFor(conditions, actions, limit);
  STATEMENTS.set(shape, statement);
  return tx.rows(statement, values);
}

/** Undefined: all. */
function actionsOf({ action, entity_type }: AuditFilters): readonly AuditAction[] | undefined {
  if (entity_type === undefined) return action;
  return (action ?? AUDIT_ACTIONS).filter((one) => one.startsWith(`${entity_type}.`));
}

function statementFor(
  conditions: readonly string[],
  actions: readonly string[],
  limit: string,
): Statement<AuditEntryRow> {
  const select = (more: readonly string[]): string =>
    `SELECT ${COLUMNS} FROM audit_log WHERE ${[...conditions, ...more].join(' AND ')} ${ORDERED} LIMIT ${limit}`;
  const ofEach = actions.map((action) => `(${select([`action = ${action}`])})`);
  const text =
    actions.length > 1
      ? `SELECT * FROM (${ofEach.join(' UNION ALL ')}) acts ${ORDERED} LIMIT ${limit}`
      : select(actions.map((action) => `action = ${action}`));
  return sql(`list-acts-${STATEMENTS.size}`, text);
}
