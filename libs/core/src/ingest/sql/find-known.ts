import { column, sql, type Transaction } from '@agentflow/database';
import { CHECKPOINT_SUMMARY_COLUMNS } from '../../checkpoints/sql/insert-checkpoints.js';
import type { CheckpointRow } from '../../checkpoints/checkpoint-row.js';
import type { MessageRow } from '../../messages/message-row.js';
import { MESSAGE_COLUMNS } from '../../messages/sql/insert-messages.js';
import { STEP_COLUMNS } from '../../steps/sql/step-columns.js';
import { TOOL_CALL_COLUMNS } from '../../tool-calls/tool-call-row.js';
import type { AncestorRow } from '../step-tree.js';
import type { ReportedStep } from '../step-work.js';
import type { ReportedCall } from '../tool-call-work.js';

/** What is named within a run. */
export interface NamedInRun {
  run_id: string;
  id: string;
}

/** One row of a table of runs' children for each pair of ids that is there. */
const eachOf = (table: string, columns: string): string => `
  SELECT found.* FROM unnest($2::uuid[], $3::uuid[]) AS wanted (run_id, id) CROSS JOIN LATERAL (
    SELECT ${columns} FROM ${table} WHERE tenant_id = $1 AND run_id = wanted.run_id AND id = wanted.id LIMIT 1) found`;

const stepsById = sql<ReportedStep>(
  'find-reported-steps',
  eachOf('steps', `${STEP_COLUMNS}, announced, settled, said`).trim(),
);
const messagesById = sql<MessageRow>('find-reported-messages', eachOf('messages', MESSAGE_COLUMNS).trim());
const checkpointsById = sql<CheckpointRow>(
  'find-reported-checkpoints',
  eachOf('checkpoints', `${CHECKPOINT_SUMMARY_COLUMNS}, state`).trim(),
);
const callsById = sql<ReportedCall>(
  'find-reported-tool-calls',
  `SELECT found.* FROM unnest($2::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
    SELECT ${TOOL_CALL_COLUMNS}, announced FROM tool_calls WHERE tenant_id = $1 AND id = wanted.id LIMIT 1) found`,
);

const ANCESTOR_COLUMNS = `run_id, id, status, parent_step_id, tokens_in, tokens_out, cost_usd, tokens_below, cost_below`;

/** `UNION` drops what was found before, so that a circle ends. */
const ancestorsOf = sql<AncestorRow>(
  'find-ancestors',
  `SELECT * FROM (
     WITH RECURSIVE line AS (
       SELECT found.* FROM unnest($2::uuid[], $3::uuid[]) AS wanted (run_id, id) CROSS JOIN LATERAL (
         SELECT ${ANCESTOR_COLUMNS} FROM steps
         WHERE tenant_id = $1 AND run_id = wanted.run_id AND id = wanted.id LIMIT 1) found
       UNION
       SELECT above.* FROM line CROSS JOIN LATERAL (
         SELECT ${ANCESTOR_COLUMNS} FROM steps
         WHERE tenant_id = $1 AND run_id = line.run_id AND id = line.parent_step_id LIMIT 1) above
     ) SELECT * FROM line) lines`,
);

/** All steps of a run, as far as their places and their usage go; needed where something in the tree has come loose. */
const wholeTrees = sql<AncestorRow>(
  'find-whole-trees',
  `SELECT found.* FROM unnest($2::uuid[]) AS loose (run_id) CROSS JOIN LATERAL (
     SELECT ${ANCESTOR_COLUMNS} FROM steps WHERE tenant_id = $1 AND run_id = loose.run_id OFFSET 0) found`,
);

/**
 * Open steps and calls of runs that end, which end with them. `OFFSET 0` keeps the planner from joining the whole table
 * by tenant: 63 ms on 20,000 steps, against 0.1.
 */
const openSteps = sql<ReportedStep>(
  'find-open-steps',
  `SELECT found.* FROM unnest($2::uuid[]) AS ending (run_id) CROSS JOIN LATERAL (
     SELECT ${STEP_COLUMNS}, announced, settled, said FROM steps
     WHERE tenant_id = $1 AND run_id = ending.run_id AND status IN ('pending', 'running', 'retrying') OFFSET 0) found`,
);
const openCalls = sql<ReportedCall>(
  'find-open-tool-calls',
  `SELECT found.* FROM unnest($2::uuid[]) AS ending (run_id) CROSS JOIN LATERAL (
     SELECT ${TOOL_CALL_COLUMNS}, announced FROM tool_calls
     WHERE tenant_id = $1 AND run_id = ending.run_id AND status = 'running' OFFSET 0) found`,
);

/** What the end of a run has closed, and nobody has completed since. */
const CLOSED_AT_END = `metadata -> 'agentflow.flags' ? 'open_at_end' AND NOT metadata -> 'agentflow.flags' ? 'late'`;

const closedSteps = sql<ReportedStep>(
  'find-closed-steps',
  `SELECT found.* FROM unnest($2::uuid[]) AS ended (run_id) CROSS JOIN LATERAL (
     SELECT ${STEP_COLUMNS}, announced, settled, said FROM steps
     WHERE tenant_id = $1 AND run_id = ended.run_id AND ${CLOSED_AT_END} OFFSET 0) found`,
);
const closedCalls = sql<ReportedCall>(
  'find-closed-tool-calls',
  `SELECT found.* FROM unnest($2::uuid[]) AS ended (run_id) CROSS JOIN LATERAL (
     SELECT ${TOOL_CALL_COLUMNS}, announced FROM tool_calls
     WHERE tenant_id = $1 AND run_id = ended.run_id AND ${CLOSED_AT_END} OFFSET 0) found`,
);

const pairs = (tx: Transaction, wanted: readonly NamedInRun[]): [string, Buffer, Buffer] => [
  tx.scope.tenantId,
  column(
    'uuid',
    wanted.map(({ run_id }) => run_id),
  ),
  column(
    'uuid',
    wanted.map(({ id }) => id),
  ),
];

type Finder<Row> = (tx: Transaction, wanted: readonly NamedInRun[]) => Promise<Row[]>;
const finder =
  <Row>(statement: ReturnType<typeof sql<Row>>): Finder<Row> =>
  async (tx, wanted) =>
    wanted.length === 0 ? [] : tx.rows(statement, pairs(tx, wanted));

/** Those of the named rows that are there; the runs have to be held. */
export const findReportedSteps = finder(stepsById);
export const findReportedMessages = finder(messagesById);
export const findReportedCheckpoints = finder(checkpointsById);
/** The named steps and all that lies above them. */
export const findAncestors = finder(ancestorsOf);

/** Calls by id alone: an id stands for one call in the whole organization. */
export async function findReportedCalls(tx: Transaction, ids: readonly string[]): Promise<ReportedCall[]> {
  return ids.length === 0 ? [] : tx.rows(callsById, [tx.scope.tenantId, column('uuid', ids)]);
}

type RunFinder<Row> = (tx: Transaction, runIds: readonly string[]) => Promise<Row[]>;
const runFinder =
  <Row>(statement: ReturnType<typeof sql<Row>>): RunFinder<Row> =>
  async (tx, runIds) =>
    runIds.length === 0 ? [] : tx.rows(statement, [tx.scope.tenantId, column('uuid', runIds)]);

export const findWholeTrees = runFinder(wholeTrees);
export const findOpenSteps = runFinder(openSteps);
export const findOpenCalls = runFinder(openCalls);
export const findClosedSteps = runFinder(closedSteps);
export const findClosedCalls = runFinder(closedCalls);
