import {
  BULK_ACTIONS,
  BULK_ACTION_CANCEL_REASONS,
  BULK_ACTION_STATUSES,
  type BulkActionCancelReason,
  type BulkActionKind,
  type BulkActionStatus,
} from '@agentflow/contracts';
import type { BulkActionPreview, BulkActionRow, RunFailure } from '@agentflow/core';
import { Choice, Flag, Id, Integer, ListOf, Nested, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';
import { RunSummary } from '../../runs/dto/run.response.js';
import { RunFilterDto } from './create-bulk-action.dto.js';

const COUNT = { min: 0, max: 2 ** 31 - 1 };

export class SkippedRunsResponse {
  @Text({ max: 64, description: 'Why, as a single request would have been told.' })
  code: string;

  @Integer({ ...COUNT, description: 'How many.' })
  count: number;
}

export class FailedRunResponse {
  @Id({ description: 'The run.' })
  run_id: string;

  @Text({ max: 64, description: 'What went wrong.' })
  code: string;
}

export class BulkActionResponse {
  @Id({ description: 'The bulk action.' })
  id: string;

  @Id({ nullable: true, description: 'The project of the key that asked; `null` for an organization’s.' })
  project_id: string | null;

  @Id({ nullable: true, description: 'The agent of the key that asked; `null` for a wider one.' })
  agent_id: string | null;

  @Choice({ of: BULK_ACTIONS, description: 'What is done to each of the runs.' })
  action: BulkActionKind;

  @Integer({ ...COUNT, nullable: true, description: 'How many runs were named; `null` with a filter.' })
  named: number | null;

  @Nested(() => RunFilterDto, { nullable: true, description: 'What chooses the runs; `null` with ids.' })
  filter: RunFilterDto | null;

  @Text({ max: 16_384, nullable: true, description: 'Why, as it was given.' })
  reason: string | null;

  @Flag({ description: 'Whether active runs are deleted, too.' })
  force: boolean;

  @Choice({
    of: ['none', 'recorded_tool_results'],
    nullable: true,
    description: 'What retries are given of their sources; `null` where it was not said.',
  })
  reuse: BulkActionRow['reuse'];

  @Id({ description: 'The key that asked, and as which it is done.' })
  created_by: string;

  @Choice({ of: BULK_ACTION_STATUSES, description: 'Where it stands.' })
  status: BulkActionStatus;

  @Choice({
    of: BULK_ACTION_CANCEL_REASONS,
    nullable: true,
    description:
      'Why the rest was left: somebody asked for that, or the key that asked does not count any more.',
  })
  cancel_reason: BulkActionCancelReason | null;

  @Integer({ ...COUNT, description: 'How many runs it has come to: those done, skipped and failed.' })
  matched: number;

  @Integer({ ...COUNT, description: 'To how many it was done.' })
  done: number;

  @ListOf(() => SkippedRunsResponse, { description: 'How many were left as they are, by the reason.' })
  skipped: SkippedRunsResponse[];

  @Integer({ ...COUNT, description: 'With how many something went wrong.' })
  failed: number;

  @ListOf(() => FailedRunResponse, { description: 'The first ten of these.' })
  errors: RunFailure[];

  @Timestamp({ nullable: true, description: 'When the first were done.' })
  started_at: string | null;

  @Timestamp({ nullable: true, description: 'When it ended.' })
  ended_at: string | null;

  @Timestamp({ description: 'When it was asked for: runs that were created later are none of it.' })
  created_at: string;

  @Timestamp({ description: 'When it last came further.' })
  updated_at: string;

  static of(row: BulkActionRow): BulkActionResponse {
    const skipped = Object.entries(row.skipped.parse() as Record<string, number>)
      .map(([code, count]) => ({ code, count }))
      .sort((one, other) => other.count - one.count || one.code.localeCompare(other.code));
    return {
      id: row.id,
      project_id: row.project_id,
      agent_id: row.agent_id,
      action: row.action,
      named: row.named,
      filter: (row.filter?.parse() ?? null) as RunFilterDto | null,
      reason: row.reason,
      force: row.force,
      reuse: row.reuse,
      created_by: row.created_by,
      status: row.status,
      cancel_reason: row.cancel_reason,
      matched: row.done + row.failed + skipped.reduce((total, { count }) => total + count, 0),
      done: row.done,
      skipped,
      failed: row.failed,
      errors: row.errors.parse() as RunFailure[],
      started_at: row.started_at,
      ended_at: row.ended_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  }
}

export class BulkActionPage {
  @ListOf(() => BulkActionResponse, { description: 'Newest first.' })
  data: BulkActionResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<BulkActionRow>): BulkActionPage {
    return { data: rows.map((row) => BulkActionResponse.of(row)), next_cursor: nextCursor };
  }
}

export class BulkActionPreviewResponse {
  @Choice({ of: BULK_ACTIONS, description: 'What would be done to each of the runs.' })
  action: BulkActionKind;

  @Integer({ ...COUNT, description: 'How many runs are chosen; counted up to 10,000.' })
  matched: number;

  @Integer({ ...COUNT, description: 'How many of them stand where the action changes something.' })
  touched: number;

  @Flag({ description: 'Whether all were counted: `false` when there may be more.' })
  is_complete: boolean;

  @ListOf(() => RunSummary, { description: 'The newest 20 that would be touched.' })
  runs: RunSummary[];

  static of({ action, matched, touched, isComplete, runs }: BulkActionPreview): BulkActionPreviewResponse {
    return { action, matched, touched, is_complete: isComplete, runs: runs.map((run) => RunSummary.of(run)) };
  }
}
