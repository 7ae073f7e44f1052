import { sql, type Slice, type Transaction } from '@agentflow/database';
import { TOOL_CALL_COLUMNS, type ToolCallRow } from '../tool-call-row.js';

const select = `SELECT ${TOOL_CALL_COLUMNS} FROM tool_calls WHERE tenant_id = $1`;

const ofRun = sql<ToolCallRow>('find-tool-call-of-run', `${select} AND run_id = $2 AND id = $3`);
const outside = sql<ToolCallRow>(
  'find-tool-call-of-agent',
  `${select} AND agent_id = $2 AND run_id IS NULL AND id = $3`,
);
const outsideLocked = sql<ToolCallRow>(
  'lock-tool-call-of-agent',
  `${select} AND agent_id = $2 AND run_id IS NULL AND id = $3 FOR NO KEY UPDATE`,
);
/** Closed with its run and not completed since; `isAwaited` says the same of one row. */
const AWAITED = `metadata @> '{"agentflow.flags": ["open_at_end"]}'
     AND NOT metadata @> '{"agentflow.flags": ["late"]}'`;
const oldestOpen = `AND name = $3 AND (status = 'running' OR ${AWAITED}) ORDER BY created_at, id LIMIT 1`;
const oldestOpenOfStep = sql<ToolCallRow>(
  'find-oldest-open-tool-call-of-step',
  `${select} AND run_id = $2 AND step_id = $4 ${oldestOpen}`,
);
const oldestOpenOfNoStep = sql<ToolCallRow>(
  'find-oldest-open-tool-call',
  `${select} AND run_id = $2 AND step_id IS NULL ${oldestOpen}`,
);

/** A call of a run that the caller sees. */
export async function findCallOfRun(
  tx: Transaction,
  runId: string,
  id: string,
): Promise<ToolCallRow | undefined> {
  return tx.row(ofRun, [tx.scope.tenantId, runId, id]);
}

/** A call outside runs of an agent that the caller sees; held for this transaction when it is to be changed. */
export async function findCallOfAgent(
  tx: Transaction,
  agentId: string,
  id: string,
  { hold }: { hold: boolean } = { hold: false },
): Promise<ToolCallRow | undefined> {
  return tx.row(hold ? outsideLocked : outside, [tx.scope.tenantId, agentId, id]);
}

/**
 * The call that a completion without an id is meant for: the oldest open one of that name in that step, or the oldest
 * that was open when its run ended.
 */
export async function findOldestOpenCall(
  tx: Transaction,
  runId: string,
  stepId: string | null,
  name: string,
): Promise<ToolCallRow | undefined> {
  const values = [tx.scope.tenantId, runId, name];
  return stepId === null ? tx.row(oldestOpenOfNoStep, values) : tx.row(oldestOpenOfStep, [...values, stepId]);
}

const START = ['-infinity', '00000000-0000-0000-0000-000000000000'];
const END = ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff'];

const forwards = `(created_at, id) > ($3::timestamptz, $4::uuid) ORDER BY created_at, id LIMIT $5`;
const backwards = `(created_at, id) < ($3::timestamptz, $4::uuid) ORDER BY created_at DESC, id DESC LIMIT $5`;
const lists = {
  asc: {
    run: sql<ToolCallRow>('list-tool-calls', `${select} AND run_id = $2 AND ${forwards}`),
    step: sql<ToolCallRow>(
      'list-tool-calls-of-step',
      `${select} AND run_id = $2 AND step_id = $6 AND ${forwards}`,
    ),
  },
  desc: {
    run: sql<ToolCallRow>('list-tool-calls-backwards', `${select} AND run_id = $2 AND ${backwards}`),
    step: sql<ToolCallRow>(
      'list-tool-calls-of-step-backwards',
      `${select} AND run_id = $2 AND step_id = $6 AND ${backwards}`,
    ),
  },
};
const outsideRuns = sql<ToolCallRow>(
  'list-tool-calls-of-agent',
  `${select} AND agent_id = $2 AND run_id IS NULL AND ${backwards}`,
);

/** A run's calls in the order in which they came, of one step when one is named (`ix_tool_calls_step`). */
export async function listCallsOfRun(
  tx: Transaction,
  runId: string,
  slice: Slice,
  order: 'asc' | 'desc',
  stepId?: string,
): Promise<ToolCallRow[]> {
  const values = [tx.scope.tenantId, runId, ...(slice.after ?? (order === 'asc' ? START : END)), slice.limit];
  return stepId === undefined
    ? tx.rows(lists[order].run, values)
    : tx.rows(lists[order].step, [...values, stepId]);
}

/** An agent's calls outside runs, newest first. */
export async function listCallsOfAgent(
  tx: Transaction,
  agentId: string,
  slice: Slice,
): Promise<ToolCallRow[]> {
  return tx.rows(outsideRuns, [tx.scope.tenantId, agentId, ...(slice.after ?? END), slice.limit]);
}
