import {
  APPROVAL_DECISIONS,
  APPROVAL_DUE_ACTIONS,
  APPROVAL_KINDS,
  type ApprovalDecision,
  type ApprovalDueAction,
  type ApprovalKind,
} from '@agentflow/contracts';
import { LARGEST_SCHEMA } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Choice, Choices, Id, JsonObject, Payload, Text, Timestamp } from '../../http/field-kinds.js';

/** One thing that a person has to decide before the run goes on. */
export class OpenApprovalDto {
  @Choice({
    of: APPROVAL_KINDS,
    description: 'What is asked: leave for a tool call, an answer, or that the run goes on at all.',
  })
  kind: ApprovalKind;

  @Payload({ optional: true, description: 'What the person has to see, as it was sent.' })
  payload?: RawJson;

  @Id({ optional: true, description: 'The tool call of this run that it is about.' })
  tool_call_id?: string;

  @Id({ optional: true, description: 'The step that it is about. Default: the step of the tool call.' })
  step_id?: string;

  @Choices({
    of: APPROVAL_DECISIONS,
    optional: true,
    description:
      'What can be decided. Default: for `tool` approve, edit and reject, for `question` respond and reject, for `gate` approve and reject.',
  })
  allowed?: ApprovalDecision[];

  @JsonObject({
    maxBytes: LARGEST_SCHEMA,
    optional: true,
    description: 'A JSON Schema (draft 2020-12) for the arguments of an edit or the answer.',
  })
  schema?: RawJson;

  @Text({ max: 256, min: 1, optional: true, description: 'Who should decide, by whatever name.' })
  assignee?: string;

  @Timestamp({ optional: true, description: 'Until when it has to be decided.' })
  due_at?: string;

  @Choice({
    of: APPROVAL_DUE_ACTIONS,
    optional: true,
    description:
      'What happens when nobody has decided until `due_at`: the run is cancelled (the default), or the approval counts as rejected.',
  })
  on_due?: ApprovalDueAction;
}
