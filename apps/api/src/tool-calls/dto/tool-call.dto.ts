import { TOOL_CALL_STATUSES, type ToolCallStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, Integer, JsonObject, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { OrderedPageQuery } from '../../http/order.js';

const MIB = 1024 * 1024;

/** What both a new call and a completion can say. */
class ToolCallOutcome {
  @Choice({
    of: TOOL_CALL_STATUSES,
    optional: true,
    description:
      'Where the call stands. Default: `failed` with an error, `succeeded` with a result; else `running` for a new ' +
      'call and `succeeded` for a completion.',
  })
  status?: ToolCallStatus;

  @Payload({ optional: true, description: 'What the tool answered, as it was sent.' })
  result?: RawJson;

  @Text({ max: MIB, optional: true, description: 'What went wrong.' })
  error?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'The kind of error, such as an exception class.' })
  error_type?: string;

  @Integer({
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    optional: true,
    description: 'Milliseconds. Computed when absent and both times are known.',
  })
  latency_ms?: number;

  @JsonObject({ optional: true, description: 'Whatever else belongs to the call. A completion replaces it.' })
  metadata?: RawJson;

  @Timestamp({ optional: true, description: 'When the call ended. Default, on a final status: now.' })
  ended_at?: string;
}

/** A call that an agent makes outside its runs. */
export class CreateAgentToolCallDto extends ToolCallOutcome {
  @Id({ optional: true, description: 'The `call_id`. The same one again is the same call.' })
  id?: string;

  @Text({ max: 256, min: 1, description: 'The tool.', example: 'search' })
  name: string;

  @Payload({ optional: true, description: 'What the tool was called with, as it was sent.' })
  arguments?: RawJson;

  @Text({
    max: 256,
    min: 1,
    optional: true,
    description: "The model provider's id, such as `call_1`. It is no key.",
  })
  provider_call_id?: string;

  @Timestamp({ optional: true, description: 'When the call started. Default, for a running call: now.' })
  started_at?: string;
}

export class CreateToolCallDto extends CreateAgentToolCallDto {
  @Id({ optional: true, description: 'The step of the same run that makes the call.' })
  step_id?: string;
}

export class CompleteToolCallDto extends ToolCallOutcome {}

/** A completion of an adapter that knows no ids. */
export class CompleteOldestToolCallDto extends ToolCallOutcome {
  @Text({ max: 256, min: 1, description: 'The tool. Its oldest open call in the step is completed.' })
  name: string;

  @Id({ optional: true, description: 'The step that made the call; absent for a call without a step.' })
  step_id?: string;
}

export class ListToolCallsQuery extends OrderedPageQuery {
  @Id({ optional: true, description: 'Only the calls of this step.' })
  step_id?: string;
}
