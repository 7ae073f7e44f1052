import type {
  BulkActionCancelReason,
  BulkActionKind,
  BulkActionStatus,
  Permission,
  ScopeKind,
} from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import type { RunSummaryRow } from '../runs/run-row.js';
import type { CopyWishes } from '../runs/run-copies.service.js';
import type { RunFilters } from '../runs/sql/list-runs.js';

/** A bulk action as it is answered. */
export interface BulkActionRow {
  id: string;
  project_id: string | null;
  agent_id: string | null;
  action: BulkActionKind;
  /** How many runs were named; null when a filter chooses them. */
  named: number | null;
  /** `RunFilters`. */
  filter: RawJson | null;
  reason: string | null;
  force: boolean;
  reuse: CopyWishes['reuse'] | null;
  created_by: string;
  status: BulkActionStatus;
  cancel_reason: BulkActionCancelReason | null;
  done: number;
  failed: number;
  /** A count for each code. */
  skipped: RawJson;
  /** A list of `RunFailure`. */
  errors: RawJson;
  started_at: string | null;
  ended_at: string | null;
  created_at: string;
  updated_at: string;
}

/** A run that something went wrong with, and what. */
export interface RunFailure {
  run_id: string;
  code: string;
}

/** What is asked for: either ids or a filter. */
export interface NewBulkAction {
  action: BulkActionKind;
  ids?: string[];
  filter?: RunFilters;
  /** cancel, retry */
  reason?: string;
  /** delete */
  force?: boolean;
  /** retry */
  reuse?: CopyWishes['reuse'];
  /** Change nothing. */
  dry_run?: boolean;
}

/** What an action would come to if it was carried out now. */
export interface BulkActionPreview {
  action: BulkActionKind;
  matched: number;
  touched: number;
  /** Both were counted to the end. */
  isComplete: boolean;
  /** The first that would be touched. */
  runs: RunSummaryRow[];
}

/** What asking came to: something is to be done, or a dry run shows what that would be. */
export type Asked = { accepted: BulkActionRow } | { trial: BulkActionPreview };

/** What an action takes: as much as the door for a single run. */
export const PERMISSION_FOR: Readonly<Record<BulkActionKind, Permission>> = {
  cancel: 'runs:control',
  delete: 'runs:delete',
  retry: 'runs:control',
};

/** As whom and how a worker goes on with it. */
export interface OpenBulkAction {
  tenant_id: string;
  id: string;
  scope: ScopeKind;
  project_id: string | null;
  agent_id: string | null;
}

/** What a worker knows of the one that it holds. */
export interface HeldBulkAction extends Pick<
  BulkActionRow,
  'action' | 'filter' | 'reason' | 'force' | 'reuse' | 'created_by'
> {
  /** Those behind `after_id`, as many as were asked for. */
  next_ids: string[] | null;
  after_created_at: string;
  after_id: string;
  failed: number;
}
