import { scopeColumns, sql, type Transaction } from '@agentflow/database';
import type { MeasuredPayload, RawJson } from '@agentflow/domain';
import { VISIBLE_RUN } from '../../runs/sql/run-columns.js';
import type { ComparedCall, ComparedRun, ComparedStep, StepLabel } from '../comparison-row.js';

/** A larger payload is compared as a text, by its hash, and never leaves the database. */
const LARGEST_COMPARED = 32_768;

/** The steps of a run that are compared, at most. */
export const MOST_STEPS = 30_000;

/** The tool calls of a step that are compared, at most. */
const MOST_CALLS = 50;

type Measured<Name extends string> = { [N in Name]: RawJson | null } & {
  [N in `${Name}_size`]: number | null;
} & { [N in `${Name}_hash`]: string | null };

/** A payload, its size, and its hash when it is too large to be read. */
function measured(name: string): string {
  const text = `${name}::text`;
  return `CASE WHEN length(${text}) <= ${LARGEST_COMPARED} THEN ${name} END AS ${name},
    length(${text}) AS ${name}_size,
    CASE WHEN length(${text}) > ${LARGEST_COMPARED} THEN md5(${text}) END AS ${name}_hash`;
}

type RunColumns = Omit<ComparedRun, 'input' | 'output'> & Measured<'input' | 'output'>;
type StepColumns = Omit<ComparedStep, 'input' | 'output'> & Measured<'input' | 'output'>;
type CallColumns = Omit<ComparedCall, 'arguments' | 'result'> & Measured<'arguments' | 'result'>;

const comparedRun = sql<RunColumns>(
  'find-compared-run',
  `SELECT id, agent_id, agent_version, status, error, ${measured('input')}, ${measured('output')},
     floor(extract(epoch FROM ended_at - started_at) * 1000)::float8 AS duration_ms,
     next_step_index AS steps, failed_steps, tool_calls, tokens_in, tokens_out, cost_usd
   FROM runs WHERE ${VISIBLE_RUN} AND id = $4`,
);

const stepLabels = sql<StepLabel>(
  'list-step-labels',
  `SELECT id, index, node, kind FROM steps WHERE tenant_id = $1 AND run_id = $2 ORDER BY index LIMIT $3`,
);

const comparedSteps = sql<StepColumns>(
  'find-compared-steps',
  `SELECT id, status, error, ${measured('input')}, ${measured('output')}, latency_ms, tokens_in, tokens_out, cost_usd, model
   FROM steps WHERE tenant_id = $1 AND run_id = $2 AND id = ANY($3::uuid[])`,
);

const comparedCalls = sql<CallColumns>(
  'find-compared-tool-calls',
  `SELECT id, step_id, name, status, error, ${measured('arguments')}, ${measured('result')}, latency_ms
   FROM unnest($3::uuid[]) AS wanted (wanted_id) CROSS JOIN LATERAL (
     SELECT * FROM tool_calls WHERE tenant_id = $1 AND run_id = $2 AND step_id = wanted_id
     ORDER BY created_at, id LIMIT ${MOST_CALLS}) call
   ORDER BY created_at, id`,
);

/** The run as far as it is compared; nothing when it is out of sight. */
export async function findComparedRun(tx: Transaction, id: string): Promise<ComparedRun | undefined> {
  const row = await tx.row(comparedRun, [...scopeColumns(tx.scope), id]);
  return row && { ...row, input: payloadOf(row, 'input'), output: payloadOf(row, 'output') };
}

/** What a run's first steps are called, by index. The run has to be one that the caller sees, here and below. */
export async function listStepLabels(tx: Transaction, runId: string): Promise<StepLabel[]> {
  return tx.rows(stepLabels, [tx.scope.tenantId, runId, MOST_STEPS]);
}

export async function findComparedSteps(
  tx: Transaction,
  runId: string,
  ids: readonly string[],
): Promise<ComparedStep[]> {
  const rows = await tx.rows(comparedSteps, [tx.scope.tenantId, runId, ids]);
  return rows.map((row) => ({ ...row, input: payloadOf(row, 'input'), output: payloadOf(row, 'output') }));
}

/** The first calls of each of some steps, in the order in which they came. */
export async function findComparedCalls(
  tx: Transaction,
  runId: string,
  stepIds: readonly string[],
): Promise<ComparedCall[]> {
  const rows = await tx.rows(comparedCalls, [tx.scope.tenantId, runId, stepIds]);
  return rows.map((row) => ({
    ...row,
    arguments: payloadOf(row, 'arguments'),
    result: payloadOf(row, 'result'),
  }));
}

function payloadOf<Name extends string>(row: Measured<Name>, name: Name): MeasuredPayload {
  const { [name]: json, [`${name}_size`]: size, [`${name}_hash`]: hash } = row as Record<string, unknown>;
  return { json, size, hash } as MeasuredPayload;
}
