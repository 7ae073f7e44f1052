import { TOOL_CALL_STATUSES, type ToolCallStatus } from '@agentflow/contracts';
import type { ToolCallRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, Integer, JsonObject, ListOf, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

export class ToolCallResponse {
  @Id({ description: 'The call: the `call_id` that pairs its beginning with its end.' })
  id: string;

  @Id({ description: 'The agent that makes the call.' })
  agent_id: string;

  @Id({ nullable: true, description: 'The run that it belongs to; `null` outside runs.' })
  run_id: string | null;

  @Id({ nullable: true, description: 'The step that makes the call.' })
  step_id: string | null;

  @Text({ max: 256, description: 'The tool.' })
  name: string;

  @Choice({ of: TOOL_CALL_STATUSES, description: 'Where the call stands.' })
  status: ToolCallStatus;

  @Payload({ nullable: true, description: 'What the tool was called with, as it was sent.' })
  arguments: RawJson | null;

  @Payload({ nullable: true, description: 'What the tool answered, as it was sent.' })
  result: RawJson | null;

  @Text({ max: 1024 * 1024, nullable: true, description: 'What went wrong.' })
  error: string | null;

  @Text({
    max: 256,
    nullable: true,
    description: 'The kind of error; `run_ended` when the run failed around it.',
  })
  error_type: string | null;

  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER, nullable: true, description: 'Milliseconds.' })
  latency_ms: number | null;

  @Text({
    max: 256,
    nullable: true,
    description: "The model provider's id. It is no key: providers repeat it.",
  })
  provider_call_id: string | null;

  @JsonObject({
    description:
      'Whatever else belongs to the call. `agentflow.flags` in it is ours: `ended_before_start`, `open_at_end`, `late`.',
  })
  metadata: RawJson;

  @Timestamp({ nullable: true, description: 'When the call started.' })
  started_at: string | null;

  @Timestamp({ nullable: true, description: 'When the call ended.' })
  ended_at: string | null;

  @Timestamp({ description: 'When the call was reported.' })
  created_at: string;

  @Timestamp({ description: 'When the call was last updated.' })
  updated_at: string;

  static of(row: ToolCallRow): ToolCallResponse {
    return { ...row };
  }
}

export class ToolCallPage {
  @ListOf(() => ToolCallResponse, { description: 'In the order in which they came, or the other way round.' })
  data: ToolCallResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<ToolCallRow>): ToolCallPage {
    return { data: rows.map((row) => ToolCallResponse.of(row)), next_cursor: nextCursor };
  }
}
