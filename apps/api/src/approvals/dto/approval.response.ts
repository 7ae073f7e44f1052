import {
  APPROVAL_DECISIONS,
  APPROVAL_DUE_ACTIONS,
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type ApprovalDecision,
  type ApprovalDueAction,
  type ApprovalKind,
  type ApprovalStatus,
} from '@agentflow/contracts';
import type { ApprovalRow, ApprovalSummaryRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Choice, Choices, Id, JsonObject, ListOf, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

/** An approval as lists show it: without payload, schema and answer. */
export class ApprovalSummary {
  @Id({ description: 'The approval.' })
  id: string;

  @Id({ description: 'The run that waits for it.' })
  run_id: string;

  @Id({ description: 'The project of the run.' })
  project_id: string;

  @Id({ description: 'The agent that asks.' })
  agent_id: string;

  @Id({ nullable: true, description: 'The step that it is about.' })
  step_id: string | null;

  @Id({ nullable: true, description: 'The tool call that it is about.' })
  tool_call_id: string | null;

  @Choice({ of: APPROVAL_KINDS, description: 'What is asked.' })
  kind: ApprovalKind;

  @Choice({ of: APPROVAL_STATUSES, description: 'Where it stands.' })
  status: ApprovalStatus;

  @Choices({ of: APPROVAL_DECISIONS, description: 'What can be decided.' })
  allowed: ApprovalDecision[];

  @Text({
    max: 64,
    nullable: true,
    description:
      'SHA-256 of what is decided about: of the arguments of the tool call, else of the payload; `null` without either.',
  })
  arguments_hash: string | null;

  @Text({ max: 256, nullable: true, description: 'Who should decide.' })
  assignee: string | null;

  @Timestamp({ nullable: true, description: 'Until when it has to be decided.' })
  due_at: string | null;

  @Choice({ of: APPROVAL_DUE_ACTIONS, nullable: true, description: 'What happens when it is not.' })
  on_due: ApprovalDueAction | null;

  @Text({ max: 16_384, nullable: true, description: 'Why it was decided so.' })
  reason: string | null;

  @Id({ nullable: true, description: 'The key that decided; `null` when nobody did.' })
  decided_by: string | null;

  @Timestamp({ nullable: true, description: 'When it was decided, or was over without that.' })
  decided_at: string | null;

  @Timestamp({ description: 'When it was asked.' })
  created_at: string;

  @Timestamp({ description: 'When it last changed.' })
  updated_at: string;

  static of(row: ApprovalSummaryRow): ApprovalSummary {
    return {
      id: row.id,
      run_id: row.run_id,
      project_id: row.project_id,
      agent_id: row.agent_id,
      step_id: row.step_id,
      tool_call_id: row.tool_call_id,
      kind: row.kind,
      status: row.status,
      allowed: row.allowed.parse() as ApprovalDecision[],
      arguments_hash: row.arguments_hash,
      assignee: row.assignee,
      due_at: row.due_at,
      on_due: row.on_due,
      reason: row.reason,
      decided_by: row.decided_by,
      decided_at: row.decided_at,
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  }
}

export class ApprovalPage {
  @ListOf(() => ApprovalSummary, { description: 'Newest first, without payload, schema and answer.' })
  data: ApprovalSummary[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<ApprovalSummaryRow>): ApprovalPage {
    return { data: rows.map((row) => ApprovalSummary.of(row)), next_cursor: nextCursor };
  }
}

export class ApprovalResponse extends ApprovalSummary {
  @Payload({ nullable: true, description: 'What the person has to see, as it was sent.' })
  payload: RawJson | null;

  @JsonObject({
    nullable: true,
    description: 'The JSON Schema for the arguments of an edit or the answer.',
  })
  schema: RawJson | null;

  @Payload({ nullable: true, description: 'The arguments of an edit, or the answer, as they were sent.' })
  answer: RawJson | null;

  static override of(row: ApprovalRow): ApprovalResponse {
    return {
      ...ApprovalSummary.of(row),
      payload: row.payload,
      schema: row.schema,
      answer: row.answer,
    };
  }
}
