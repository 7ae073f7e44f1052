import type { RunStatus } from '@agentflow/contracts';
import type { Slice, Transaction } from '@agentflow/database';
import { RawJson } from '@agentflow/domain';
import { filteredList } from '../../lists/filtered-list.js';
import type { RunSummaryRow } from '../run-row.js';
import { RUN_SUMMARY_COLUMNS } from './run-columns.js';

export interface RunFilters {
  project_id?: string;
  agent_id?: string;
  status?: RunStatus[];
  adapter?: string;
  session_id?: string;
  parent_run_id?: string;
  created_after?: string;
  created_before?: string;
  tag?: string;
}

/** The statement and its values, for one scope, one set of filters and one slice. */
export const runList = filteredList<RunFilters, RunSummaryRow>({
  ...{ name: 'list-runs', from: 'runs', columns: RUN_SUMMARY_COLUMNS, time: 'created_at' },
  conditions: [
    ['project_id', (p) => `project_id = ${p}::uuid`],
    ['agent_id', (p) => `agent_id = ${p}::uuid`],
    ['adapter', (p) => `adapter = ${p}`],
    ['session_id', (p) => `session_id = ${p}`],
    ['parent_run_id', (p) => `parent_run_id = ${p}::uuid`],
    ['created_after', (p) => `created_at > ${p}::timestamptz`],
    ['created_before', (p) => `created_at < ${p}::timestamptz`],
    ['tag', (p) => `tags @> ${p}::jsonb`, (tag) => RawJson.trusted(JSON.stringify([tag]))],
  ],
  merged: 'status',
});

/** The runs that the scope sees and the filters let through, newest first. */
export async function listRuns(tx: Transaction, filters: RunFilters, slice: Slice): Promise<RunSummaryRow[]> {
  const { statement, values } = runList(tx, filters, slice);
  return tx.rows(statement, values);
}
