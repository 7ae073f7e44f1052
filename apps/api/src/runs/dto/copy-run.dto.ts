import type { ClaimedRun, CopyWishes, Lineage, RecordedCall } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { CheckpointResponse } from '../../checkpoints/dto/checkpoint.dto.js';
import { Choice, Flag, Id, Integer, ListOf, Name, Nested, Payload, Text } from '../../http/field-kinds.js';
import { HeldRunResponse, RunSummary } from './run.response.js';

export class CopyRunDto {
  @Payload({
    optional: true,
    description: 'What the agent is asked this time. Default: the input of the source.',
  })
  input?: RawJson;

  @Integer({
    min: 1,
    max: 2 ** 31 - 1,
    optional: true,
    description: 'The version of the agent to run. Default: that of the source.',
  })
  agent_version?: number;

  @Choice({
    of: ['none', 'recorded_tool_results'],
    optional: true,
    description: 'What whoever picks the run up is given of the source. Default `none`.',
  })
  reuse?: CopyWishes['reuse'];

  @Text({ max: 16_384, optional: true, description: 'Why; it is kept in the event `run.created`.' })
  reason?: string;
}

export class ClaimRunDto {
  @Id({ optional: true, description: 'The agent to work as. Either this or `agent` has to be given.' })
  agent_id?: string;

  @Name({ optional: true, description: 'The agent by its name.' })
  agent?: string;

  @Integer({ min: 1, max: 86_400, description: 'Seconds that the holder may be silent.' })
  lease_seconds: number;
}

export class RecordedCallResponse {
  @Id({ description: 'The tool call of the source.' })
  call_id: string;

  @Text({ max: 256, description: 'The name of the tool.' })
  name: string;

  @Payload({ nullable: true, description: 'What the tool was called with, as it was sent.' })
  arguments: RawJson | null;

  @Payload({ nullable: true, description: 'What the tool answered, as it was sent.' })
  result: RawJson | null;

  static of({ call_id, name, arguments: args, result }: RecordedCall): RecordedCallResponse {
    return { call_id, name, arguments: args, result };
  }
}

export class RecordedCallsResponse {
  @ListOf(() => RecordedCallResponse, {
    description: 'Calls that succeeded, made up to the checkpoint, in the order in which they came.',
  })
  data: RecordedCallResponse[];

  @Flag({ description: 'Whether these are all; what is missing is in the list of tool calls of the source.' })
  is_complete: boolean;

  static of({ calls, isComplete }: NonNullable<ClaimedRun['recorded']>): RecordedCallsResponse {
    return { data: calls.map((call) => RecordedCallResponse.of(call)), is_complete: isComplete };
  }
}

/** A run that was picked up, with what to begin with. */
export class ClaimedRunResponse extends HeldRunResponse {
  @Nested(() => CheckpointResponse, {
    nullable: true,
    description:
      'The checkpoint of the source to begin from, with its state; `null` when the run is no fork.',
  })
  checkpoint: CheckpointResponse | null;

  @Nested(() => RecordedCallsResponse, {
    nullable: true,
    description: 'Tool results of the source to use again; `null` when the run was made without `reuse`.',
  })
  recorded_tool_calls: RecordedCallsResponse | null;

  static override of(row: ClaimedRun): ClaimedRunResponse {
    const { checkpoint, recorded } = row;
    return {
      ...HeldRunResponse.of(row),
      checkpoint: checkpoint ? CheckpointResponse.of(checkpoint) : null,
      recorded_tool_calls: recorded ? RecordedCallsResponse.of(recorded) : null,
    };
  }
}

export class LineageResponse {
  @ListOf(() => RunSummary, { description: 'The runs that this one comes from, the nearest first.' })
  ancestors: RunSummary[];

  @ListOf(() => RunSummary, { description: 'The runs that came from this one, level by level.' })
  descendants: RunSummary[];

  @Flag({ description: 'Whether there are more than the 200 that each list shows at most.' })
  has_more: boolean;

  static of({ ancestors, descendants, hasMore }: Lineage): LineageResponse {
    return {
      ancestors: ancestors.map((row) => RunSummary.of(row)),
      descendants: descendants.map((row) => RunSummary.of(row)),
      has_more: hasMore,
    };
  }
}
