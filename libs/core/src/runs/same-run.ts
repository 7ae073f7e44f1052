import { RawJson } from '@agentflow/domain';
import { samePayload } from '../reporting/same-content.js';
import type { RunRow } from './run-row.js';
import type { NewRun } from './new-run.js';

const NO_METADATA = RawJson.trusted('{}');
const NO_TAGS = '[]';

/**
 * Whether a creation repeats the one that made this run. What a creation cannot change any more is compared where it
 * is stated (ids, project, adapter, start); what it alone says is compared as a whole.
 */
export function repeatsCreation(run: RunRow, creation: NewRun, agentId: string): boolean {
  const stated = (value: unknown, stored: unknown): boolean => value === undefined || value === stored;
  return (
    run.agent_id === agentId &&
    stated(creation.id, run.id) &&
    stated(creation.project_id, run.project_id) &&
    stated(creation.adapter, run.adapter) &&
    stated(creation.started_at, run.started_at) &&
    !(creation.start && run.status === 'pending') &&
    run.name === (creation.name ?? null) &&
    run.session_id === (creation.session_id ?? null) &&
    run.external_id === (creation.external_id ?? null) &&
    run.parent_run_id === (creation.parent_run_id ?? null) &&
    samePayload(run.input, creation.input ?? null) &&
    samePayload(run.metadata, creation.metadata ?? NO_METADATA) &&
    samePayload(run.tags, RawJson.trusted(JSON.stringify(creation.tags) ?? NO_TAGS))
  );
}
