import { columns, rowsFrom, sql, type ColumnTypes, type Transaction } from '@agentflow/database';
import type { CheckpointRow } from '../../checkpoints/checkpoint-row.js';
import type { MessageRow } from '../../messages/message-row.js';
import type { ReportedCall } from '../tool-call-work.js';

const MESSAGE = {
  run_id: 'uuid',
  id: 'uuid',
  step_id: 'uuid',
  index: 'integer',
  role: 'text',
  name: 'text',
  content: 'text',
  tool_call_id: 'text',
  extra: 'json',
  at: 'timestamptz',
} as const satisfies ColumnTypes;

const CHECKPOINT = {
  run_id: 'uuid',
  id: 'uuid',
  index: 'integer',
  label: 'text',
  step_id: 'uuid',
  state: 'json',
  state_bytes: 'integer',
  at: 'timestamptz',
} as const satisfies ColumnTypes;

const CALL = {
  id: 'uuid',
  agent_id: 'uuid',
  run_id: 'uuid',
  step_id: 'uuid',
  name: 'text',
  status: 'text',
  arguments: 'json',
  result: 'json',
  error: 'text',
  error_type: 'text',
  latency_ms: 'bigint',
  provider_call_id: 'text',
  metadata: 'jsonb',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  announced: 'boolean',
} as const satisfies ColumnTypes;

const insertInto = (table: string, types: ColumnTypes): string => {
  const names = Object.keys(types).join(', ');
  return `INSERT INTO ${table} (tenant_id, ${names}) SELECT $1, ${names} FROM ${rowsFrom(types, 's')}`;
};

const insertMessages = sql<never>('insert-reported-messages', insertInto('messages', MESSAGE));
const insertCheckpoints = sql<never>('insert-reported-checkpoints', insertInto('checkpoints', CHECKPOINT));
const insertCalls = sql<{ id: string }>(
  'insert-reported-tool-calls',
  `${insertInto('tool_calls', CALL)} ON CONFLICT (tenant_id, id) DO NOTHING RETURNING id`,
);

const CHANGING = Object.keys(CALL).filter((name) => !['id', 'run_id', 'agent_id'].includes(name));

const updateCalls = sql<never>(
  'update-reported-tool-calls',
  `UPDATE tool_calls SET ${CHANGING.map((name) => `${name} = s.${name}`).join(', ')}, updated_at = now()
   FROM (SELECT s.*, held.place FROM ${rowsFrom(CALL, 's')} CROSS JOIN LATERAL (
     SELECT ctid AS place FROM tool_calls WHERE tenant_id = $1 AND id = s.id LIMIT 1) held) s
   WHERE tool_calls.tenant_id = $1 AND tool_calls.ctid = s.place`,
);

const reassignCalls = sql<never>(
  'reassign-tool-calls',
  `UPDATE tool_calls SET agent_id = $3 WHERE tenant_id = $1 AND run_id = $2 AND agent_id <> $3`,
);

/** Writes new messages of held runs. */
export async function insertReportedMessages(
  tx: Transaction,
  messages: readonly Omit<MessageRow, 'created_at'>[],
): Promise<void> {
  if (messages.length > 0) await tx.run(insertMessages, [tx.scope.tenantId, ...columns(MESSAGE, messages)]);
}

/** Writes new checkpoints of held runs. */
export async function insertReportedCheckpoints(
  tx: Transaction,
  checkpoints: readonly Omit<CheckpointRow, 'created_at'>[],
): Promise<void> {
  if (checkpoints.length === 0) return;
  await tx.run(insertCheckpoints, [tx.scope.tenantId, ...columns(CHECKPOINT, checkpoints)]);
}

/** Writes new tool calls of held runs; answers the ids that were free. */
export async function insertReportedCalls(
  tx: Transaction,
  calls: readonly ReportedCall[],
): Promise<ReadonlySet<string>> {
  if (calls.length === 0) return new Set();
  const rows = await tx.rows(insertCalls, [tx.scope.tenantId, ...columns(CALL, calls)]);
  return new Set(rows.map(({ id }) => id));
}

/** Overwrites tool calls of held runs. */
export async function updateReportedCalls(tx: Transaction, calls: readonly ReportedCall[]): Promise<void> {
  if (calls.length > 0) await tx.run(updateCalls, [tx.scope.tenantId, ...columns(CALL, calls)]);
}

/** The calls of a run that has found its agent become that agent's. */
export async function reassignReportedCalls(tx: Transaction, runId: string, agentId: string): Promise<void> {
  await tx.run(reassignCalls, [tx.scope.tenantId, runId, agentId]);
}
