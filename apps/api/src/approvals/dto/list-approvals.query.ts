import {
  APPROVAL_KINDS,
  APPROVAL_STATUSES,
  type ApprovalKind,
  type ApprovalStatus,
} from '@agentflow/contracts';
import { Choice, ChoiceList, Id, Integer, Text } from '../../http/field-kinds.js';
import { PageQuery } from '../../http/page.js';

export class ListApprovalsQuery extends PageQuery {
  @ChoiceList({
    of: APPROVAL_STATUSES,
    optional: true,
    description: 'Only approvals in one of these statuses, comma-separated; `pending` is what waits.',
  })
  status?: ApprovalStatus[];

  @Id({ optional: true, description: 'Only approvals of this run.' })
  run_id?: string;

  @Id({ optional: true, description: 'Only approvals of this agent.' })
  agent_id?: string;

  @Id({ optional: true, description: 'Only approvals of this project.' })
  project_id?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'Only approvals for this assignee.' })
  assignee?: string;

  @Choice({ of: APPROVAL_KINDS, optional: true, description: 'Only approvals of this kind.' })
  kind?: ApprovalKind;
}

/** The longest that an answer is waited for, in seconds: most proxies give up after a minute. */
const LONGEST_WAIT = 55;

export class AwaitApprovalQuery {
  @Integer({
    min: 0,
    max: LONGEST_WAIT,
    optional: true,
    description: 'How many seconds to wait for a decision, while it is pending. Default 0.',
  })
  wait?: number;
}
