import { RUN_ORIGINS, RUN_STATUSES, type RunOrigin, type RunStatus } from '@agentflow/contracts';
import type { LeaseStanding, RunRow, RunSummaryRow, RunTotals } from '@agentflow/core';
import { RawJson, allowedTransitions, isTerminal, plainDecimal } from '@agentflow/domain';
import {
  AdapterName,
  Choice,
  Choices,
  Flag,
  Id,
  Integer,
  JsonObject,
  Labels,
  ListOf,
  MoneyText,
  Nested,
  Payload,
  Score,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';
import { field, type FieldOptions } from '../../http/field.js';
import { NextCursor, type Page } from '../../http/page.js';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

/** A sum of counts, which may need more digits than any one of them. */
function Total(options: FieldOptions): PropertyDecorator {
  return field({ schema: { type: 'integer', minimum: 0 }, read: (value) => ({ value }) }, options);
}

export class RunTotalsResponse {
  @Integer({ ...COUNT, description: 'Steps.' })
  steps: number;

  @Integer({ ...COUNT, description: 'Steps that failed.' })
  failed_steps: number;

  @Integer({ ...COUNT, description: 'Tool calls.' })
  tool_calls: number;

  @Integer({ ...COUNT, description: 'Tool calls that failed.' })
  failed_tool_calls: number;

  @Integer({ ...COUNT, description: 'Messages.' })
  messages: number;

  @Total({ description: 'Tokens read by models, summed over the deepest steps that say so; exact.' })
  tokens_in: RawJson;

  @Total({ description: 'Tokens written by models, summed alike; exact.' })
  tokens_out: RawJson;

  @MoneyText({ description: 'US dollars, summed alike; exact.' })
  cost_usd: string;

  static of(row: RunTotals): RunTotalsResponse {
    return {
      steps: row.next_step_index,
      failed_steps: row.failed_steps,
      tool_calls: row.tool_calls,
      failed_tool_calls: row.failed_tool_calls,
      messages: row.next_message_index,
      tokens_in: RawJson.trusted(row.tokens_in),
      tokens_out: RawJson.trusted(row.tokens_out),
      cost_usd: plainDecimal(row.cost_usd),
    };
  }
}

/** A run as lists show it: without payloads. */
export class RunSummary {
  @Id({ description: 'The run.' })
  id: string;

  @Id({ description: 'The project that it was created under; it is judged by it for ever.' })
  project_id: string;

  @Id({ description: 'The agent that runs.' })
  agent_id: string;

  @Integer({ min: 1, max: 2 ** 31 - 1, description: "The agent's version when the run was created." })
  agent_version: number;

  @AdapterName({ description: 'What runs the agent.' })
  adapter: string;

  @Choice({ of: RUN_STATUSES, description: 'Where the run stands.' })
  status: RunStatus;

  @Flag({ description: 'Whether the run has ended: nothing leaves this status.' })
  is_terminal: boolean;

  @Choices({ of: RUN_STATUSES, description: 'The statuses that one move can reach.' })
  allowed_transitions: RunStatus[];

  @Text({ max: 256, nullable: true, description: 'A name for people.' })
  name: string | null;

  @Labels({ description: 'Labels to find the run by.' })
  tags: RawJson;

  @Text({ max: 256, nullable: true, description: 'The kind of error, of a run that failed.' })
  error_type: string | null;

  @Text({ max: 256, nullable: true, description: 'The conversation or session that the run belongs to.' })
  session_id: string | null;

  @Text({ max: 256, nullable: true, description: 'The id of the run elsewhere.' })
  external_id: string | null;

  @Id({ nullable: true, description: 'The run that this one comes from.' })
  parent_run_id: string | null;

  @Choice({ of: RUN_ORIGINS, nullable: true, description: 'Why the run has a parent.' })
  origin: RunOrigin | null;

  @Id({ nullable: true, description: 'The checkpoint of the parent that a fork began with.' })
  from_checkpoint_id: string | null;

  @Timestamp({ nullable: true, description: 'When the run started.' })
  started_at: string | null;

  @Timestamp({ nullable: true, description: 'When the run ended.' })
  ended_at: string | null;

  @Timestamp({ nullable: true, description: 'Since when the run waits for people, while it does.' })
  waiting_since: string | null;

  @Integer({
    ...COUNT,
    description: 'Milliseconds that the run has waited for people, without the wait under way.',
  })
  waited_ms: number;

  @Score({ nullable: true, description: 'How good the outcome is, from 0 to 1.' })
  quality_score: RawJson | null;

  @Nested(() => RunTotalsResponse, { description: 'Sums over all that belongs to the run.' })
  totals: RunTotalsResponse;

  @Timestamp({ description: 'When the run was created.' })
  created_at: string;

  @Timestamp({ description: 'When the run or its totals last changed.' })
  updated_at: string;

  static of(row: RunSummaryRow): RunSummary {
    return {
      id: row.id,
      project_id: row.project_id,
      agent_id: row.agent_id,
      agent_version: row.agent_version,
      adapter: row.adapter,
      status: row.status,
      is_terminal: isTerminal(row.status),
      allowed_transitions: allowedTransitions(row.status),
      name: row.name,
      tags: row.tags,
      error_type: row.error_type,
      session_id: row.session_id,
      external_id: row.external_id,
      parent_run_id: row.parent_run_id,
      origin: row.origin,
      from_checkpoint_id: row.from_checkpoint_id,
      started_at: row.started_at,
      ended_at: row.ended_at,
      waiting_since: row.waiting_since,
      waited_ms: row.waited_ms,
      quality_score: row.quality_score === null ? null : RawJson.trusted(plainDecimal(row.quality_score)),
      totals: RunTotalsResponse.of(row),
      created_at: row.created_at,
      updated_at: row.updated_at,
    };
  }
}

export class RunPage {
  @ListOf(() => RunSummary, { description: 'Newest first, without payloads.' })
  data: RunSummary[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<RunSummaryRow>): RunPage {
    return { data: rows.map((row) => RunSummary.of(row)), next_cursor: nextCursor };
  }
}

/** A run with its payloads. */
export class RunResponse extends RunSummary {
  @Payload({ nullable: true, description: 'What the agent was asked, as it was sent.' })
  input: RawJson | null;

  @Payload({ nullable: true, description: 'What the agent came to, as it was sent.' })
  output: RawJson | null;

  @Text({ max: 1024 * 1024, nullable: true, description: 'What went wrong, or why the run was called off.' })
  error: string | null;

  @JsonObject({ description: 'Whatever else belongs to the run.' })
  metadata: RawJson;

  @Payload({
    nullable: true,
    description: 'What the run waits for: `question`, `payload` and `kind` as given.',
  })
  waiting_for: RawJson | null;

  @Payload({ nullable: true, description: 'The answer that the run was last resumed with.' })
  resume_input: RawJson | null;

  @Timestamp({
    nullable: true,
    description: 'When the lease of the holder ends, unless a heartbeat prolongs it.',
  })
  lease_expires_at: string | null;

  static override of(row: RunRow): RunResponse {
    return {
      ...RunSummary.of(row),
      input: row.input,
      output: row.output,
      error: row.error,
      metadata: row.metadata,
      waiting_for: row.waiting_for,
      resume_input: row.resume_input,
      lease_expires_at: row.lease_expires_at,
    };
  }
}

/** A run as its holder gets it: with the token of the lease. */
export class HeldRunResponse extends RunResponse {
  @Id({ nullable: true, description: 'Proves in heartbeats who holds the lease; absent without a lease.' })
  lease_token: string | null;

  static override of(row: RunRow): HeldRunResponse {
    return { ...RunResponse.of(row), lease_token: row.lease_token };
  }
}

export class HeartbeatResponse {
  @Choice({ of: RUN_STATUSES, description: 'Where the run stands.' })
  status: RunStatus;

  @Flag({ description: 'Whether the run was called off: the holder should stop.' })
  cancel_requested: boolean;

  @Timestamp({ nullable: true, description: 'When the lease ends now; `null` when the run has ended.' })
  lease_expires_at: string | null;

  static of({ status, lease_expires_at }: LeaseStanding): HeartbeatResponse {
    return { status, cancel_requested: status === 'cancelled', lease_expires_at };
  }
}
