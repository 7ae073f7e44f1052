import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import {
  ADDS_GIVEN,
  COST_OF_GIVEN,
  SUM_COLUMNS,
  sumOf,
  type RunAddition,
} from '../../reporting/sql/add-to-run.js';
import { nextXid } from '../../reporting/sql/event-xid.js';
import { heldRuns } from '../../reporting/sql/held-runs.js';
import type { RunFields } from '../run-state.js';

/** A run as reports leave it, and what they add to its counters and totals. */
export interface RunOverwrite {
  run: RunFields;
  additions: readonly RunAddition[];
}

/** What reports say of a run. */
const SAID = `project_id uuid, agent_id uuid, agent_version integer, adapter text, status text, name text, input json,
  output json, error text, error_type text, metadata jsonb, tags jsonb, session_id text, external_id text,
  parent_run_id uuid, origin text, started_at timestamptz, ended_at timestamptz, last_move text, waiting_for json,
  resume_input json, announced boolean, moved_at timestamptz, from_trace boolean, ended_by_trace boolean`;
const NAMES = [...SAID.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, name]) => name as string);

const insertRuns = sql<{ id: string }>(
  'insert-reported-runs',
  `INSERT INTO runs (tenant_id, id, ${NAMES.join(', ')}, last_event_seq, last_event_xid,
     next_step_index, next_message_index, next_checkpoint_index, failed_steps, tool_calls, failed_tool_calls, tokens_in, tokens_out, cost_usd)
   SELECT $1, given.run_id, ${NAMES.map((name) => `given.${name}`).join(', ')}, given.events,
     ${nextXid('0')}, given.steps, given.messages, given.checkpoints, given.failed_steps, given.tool_calls, given.failed_tool_calls, given.tokens_in,
     given.tokens_out, ${COST_OF_GIVEN}
   FROM json_to_recordset($2) AS given (run_id uuid, ${SAID}, ${SUM_COLUMNS})
   WHERE (SELECT true FROM deleted_runs WHERE tenant_id = $1 AND run_id = given.run_id
     AND deleted_at > now() - interval '24 hours' LIMIT 1) IS NULL
   ORDER BY given.run_id
   ON CONFLICT DO NOTHING
   RETURNING id`,
);

const writeRuns = sql<never>(
  'write-reported-runs',
  `UPDATE runs SET ${NAMES.map((name) => `${name} = given.${name}`).join(', ')}, ${ADDS_GIVEN},
     lease_expires_at = CASE WHEN given.ended_at IS NULL THEN runs.lease_expires_at END
   FROM ${heldRuns(`${SAID}, ${SUM_COLUMNS}`)}
   WHERE tenant_id = $1 AND runs.ctid = given.place`,
);

const letRun = sql<never>(
  'let-runs-run',
  `UPDATE runs SET status = 'running' FROM ${heldRuns('')} WHERE tenant_id = $1 AND runs.ctid = given.place`,
);

const recordsOf = (runs: readonly RunOverwrite[]): RawJson =>
  RawJson.trusted(
    encodeJson(
      runs.map(({ run: { id, ...run }, additions }) => ({ run_id: id, ...run, ...sumOf(additions) })),
    ),
  );

/**
 * Writes runs that were not there, with all that is known of them at the end of the batch; answers the ids of those that
 * were written. One that is missing is there by now, was deleted within a day, or its id or external id stands for
 * another.
 */
export async function insertReportedRuns(
  tx: Transaction,
  runs: readonly RunOverwrite[],
): Promise<ReadonlySet<string>> {
  if (runs.length === 0) return new Set();
  const rows = await tx.rows(insertRuns, [tx.scope.tenantId, recordsOf(runs)]);
  return new Set(rows.map(({ id }) => id));
}

/** Overwrites what reports say of held runs, and adds to their totals. */
export async function writeReportedRuns(tx: Transaction, runs: readonly RunOverwrite[]): Promise<void> {
  if (runs.length > 0) await tx.run(writeRuns, [tx.scope.tenantId, recordsOf(runs)]);
}

/** Lets runs run that end from where no run ends: that they went on was not reported. */
export async function letReportedRunsRun(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(letRun, [tx.scope.tenantId, RawJson.trusted(encodeJson(ids.map((run_id) => ({ run_id }))))]);
}
