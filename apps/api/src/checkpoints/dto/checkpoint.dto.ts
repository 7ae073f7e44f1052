import type { CheckpointRow, CheckpointSummaryRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Id, Integer, ListOf, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

export class CreateCheckpointDto {
  @Id({
    optional: true,
    description: 'The id of the checkpoint within its run. The same one again is the same one.',
  })
  id?: string;

  @Text({ max: 256, optional: true, description: 'What the checkpoint is called.' })
  label?: string;

  @Id({ optional: true, description: 'The step of the same run that the checkpoint follows.' })
  step_id?: string;

  @Payload({ description: 'The state to resume from, in whatever form the adapter has.' })
  state: RawJson;
}

export class CheckpointSummary {
  @Id({ description: 'The checkpoint.' })
  id: string;

  @Integer({ min: 0, max: 2 ** 31 - 1, description: 'Its place in the run: from 0, without gaps.' })
  index: number;

  @Text({ max: 256, nullable: true, description: 'What the checkpoint is called.' })
  label: string | null;

  @Id({ nullable: true, description: 'The step that the checkpoint follows.' })
  step_id: string | null;

  @Integer({ min: 0, max: 2 ** 31 - 1, description: 'The size of the state in bytes.' })
  state_bytes: number;

  @Timestamp({ nullable: true, description: 'When it was taken, by the reporter’s clock.' })
  at: string | null;

  @Timestamp({ description: 'When the checkpoint was reported.' })
  created_at: string;

  static of({
    id,
    index,
    label,
    step_id,
    state_bytes,
    at,
    created_at,
  }: CheckpointSummaryRow): CheckpointSummary {
    return { id, index, label, step_id, state_bytes, at, created_at };
  }
}

export class CheckpointPage {
  @ListOf(() => CheckpointSummary, { description: 'By index, without their states.' })
  data: CheckpointSummary[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<CheckpointSummaryRow>): CheckpointPage {
    return { data: rows.map((row) => CheckpointSummary.of(row)), next_cursor: nextCursor };
  }
}

/** A checkpoint with its state. */
export class CheckpointResponse extends CheckpointSummary {
  @Payload({ description: 'The state, as it was sent.' })
  state: RawJson;

  static override of(row: CheckpointRow): CheckpointResponse {
    return { ...CheckpointSummary.of(row), state: row.state };
  }
}
