import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { heldRuns } from '../../reporting/sql/held-runs.js';
import type { RunFields } from '../run-state.js';

const writeRuns = sql<never>(
  'write-reported-runs',
  `UPDATE runs SET project_id = given.project_id, agent_id = given.agent_id, agent_version = given.agent_version,
     adapter = given.adapter, status = given.status, name = given.name, input = given.input, output = given.output,
     error = given.error, error_type = given.error_type, metadata = given.metadata, tags = given.tags,
     session_id = given.session_id, external_id = given.external_id, parent_run_id = given.parent_run_id,
     origin = given.origin, started_at = given.started_at, ended_at = given.ended_at, last_move = given.last_move,
     waiting_for = given.waiting_for, resume_input = given.resume_input, announced = given.announced,
     moved_at = given.moved_at, updated_at = now(),
     lease_expires_at = CASE WHEN given.ended_at IS NULL THEN runs.lease_expires_at END
   FROM ${heldRuns(`project_id uuid, agent_id uuid, agent_version integer, adapter text, status text, name text,
     input json, output json, error text, error_type text, metadata jsonb, tags jsonb, session_id text,
     external_id text, parent_run_id uuid, origin text, started_at timestamptz, ended_at timestamptz, last_move text,
     waiting_for json, resume_input json, announced boolean, moved_at timestamptz`)}
   WHERE tenant_id = $1 AND runs.ctid = given.place`,
);

const letRun = sql<never>(
  'let-runs-run',
  `UPDATE runs SET status = 'running' FROM ${heldRuns('')} WHERE tenant_id = $1 AND runs.ctid = given.place`,
);

/** Overwrites what reports say of held runs. */
export async function writeReportedRuns(tx: Transaction, runs: readonly RunFields[]): Promise<void> {
  if (runs.length === 0) return;
  const records = runs.map(({ id, ...run }) => ({ run_id: id, ...run }));
  await tx.run(writeRuns, [tx.scope.tenantId, RawJson.trusted(encodeJson(records))]);
}

/** Lets runs run that end from where no run ends: that they went on was not reported. */
export async function letReportedRunsRun(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(letRun, [
    tx.scope.tenantId,
    RawJson.trusted(JSON.stringify(ids.map((run_id) => ({ run_id })))),
  ]);
}
