import { columns, rowsFrom, sql, type ColumnTypes, type Transaction } from '@agentflow/database';
import type { ReportedStep } from '../step-work.js';

const KEY = { run_id: 'uuid', id: 'uuid' } as const satisfies ColumnTypes;

/** What a later report may change. */
const CHANGING = {
  node: 'text',
  kind: 'text',
  status: 'text',
  parent_step_id: 'uuid',
  error: 'text',
  error_type: 'text',
  latency_ms: 'bigint',
  tokens_in: 'bigint',
  tokens_out: 'bigint',
  token_details: 'jsonb',
  cost_usd: 'text',
  cost_source: 'text',
  tokens_below: 'boolean',
  cost_below: 'boolean',
  model: 'text',
  provider: 'text',
  agent_role: 'text',
  tier: 'text',
  retry_count: 'integer',
  metadata: 'jsonb',
  started_at: 'timestamptz',
  ended_at: 'timestamptz',
  external_id: 'text',
  announced: 'boolean',
  settled: 'integer',
  said: 'jsonb',
} as const satisfies ColumnTypes;

const INSERTED = { ...KEY, index: 'integer', input: 'json', output: 'json', ...CHANGING } as const;
/** A payload that stays is not sent again. */
const UPDATED = {
  ...KEY,
  ...CHANGING,
  input: 'json',
  output: 'json',
  has_input: 'boolean',
  has_output: 'boolean',
} as const;

const value = (name: string): string => (name === 'cost_usd' ? 's.cost_usd::numeric' : `s.${name}`);
const names = Object.keys(INSERTED);

const insertSteps = sql<never>(
  'insert-reported-steps',
  `INSERT INTO steps (tenant_id, ${names.join(', ')})
   SELECT $1, ${names.map(value).join(', ')} FROM ${rowsFrom(INSERTED, 's')}`,
);

const updateSteps = sql<never>(
  'update-reported-steps',
  `UPDATE steps SET ${Object.keys(CHANGING)
    .map((name) => `${name} = ${value(name)}`)
    .join(', ')},
     input = CASE WHEN s.has_input THEN s.input ELSE steps.input END,
     output = CASE WHEN s.has_output THEN s.output ELSE steps.output END, updated_at = now()
   FROM (SELECT s.*, held.place FROM ${rowsFrom(UPDATED, 's')} CROSS JOIN LATERAL (
     SELECT ctid AS place FROM steps WHERE tenant_id = $1 AND run_id = s.run_id AND id = s.id LIMIT 1) held) s
   WHERE steps.tenant_id = $1 AND steps.ctid = s.place`,
);

const COVERED = { ...KEY, tokens_below: 'boolean', cost_below: 'boolean' } as const satisfies ColumnTypes;

const coverSteps = sql<never>(
  'cover-steps',
  `UPDATE steps SET tokens_below = s.tokens_below, cost_below = s.cost_below
   FROM (SELECT s.*, held.place FROM ${rowsFrom(COVERED, 's')} CROSS JOIN LATERAL (
     SELECT ctid AS place FROM steps WHERE tenant_id = $1 AND run_id = s.run_id AND id = s.id LIMIT 1) held) s
   WHERE steps.tenant_id = $1 AND steps.ctid = s.place`,
);

/** A stored step as it has to be written; a payload is sent where it changes. */
export interface StepOverwrite extends ReportedStep {
  has_input: boolean;
  has_output: boolean;
}

/**
 * Writes new steps of held runs. An id that another transaction wrote meanwhile violates `pk_steps`, which repeats the
 * transaction: it then finds the step.
 */
export async function insertReportedSteps(tx: Transaction, steps: readonly ReportedStep[]): Promise<void> {
  if (steps.length > 0) await tx.run(insertSteps, [tx.scope.tenantId, ...columns(INSERTED, steps)]);
}

/** Overwrites steps of held runs. Decided before: the statement refuses nothing. */
export async function updateReportedSteps(tx: Transaction, steps: readonly StepOverwrite[]): Promise<void> {
  if (steps.length > 0) await tx.run(updateSteps, [tx.scope.tenantId, ...columns(UPDATED, steps)]);
}

type Covered = Pick<ReportedStep, 'run_id' | 'id' | 'tokens_below' | 'cost_below'>;

/** Remembers which measures the steps below these ones say. */
export async function coverReportedSteps(tx: Transaction, steps: readonly Covered[]): Promise<void> {
  if (steps.length > 0) await tx.run(coverSteps, [tx.scope.tenantId, ...columns(COVERED, steps)]);
}
