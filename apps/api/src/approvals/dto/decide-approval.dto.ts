import { APPROVAL_DECISIONS, type ApprovalDecision } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Choice, Payload, Text, Token } from '../../http/field-kinds.js';

const HASH = { pattern: /^[0-9a-f]{64}$/, says: 'has to be a SHA-256 hash, 64 hexadecimal digits' };

export class DecideApprovalDto {
  @Choice({ of: APPROVAL_DECISIONS, description: 'What is decided.' })
  decision: ApprovalDecision;

  @Token({
    ...HASH,
    optional: true,
    description: 'The `arguments_hash` of what was looked at: other arguments are refused.',
  })
  arguments_hash?: string;

  @Payload({
    optional: true,
    description: 'With `edit` the arguments to take instead, with `respond` the answer; with no other.',
  })
  answer?: RawJson;

  @Text({ max: 16_384, optional: true, description: 'Why, for the agent and for whoever reads it later.' })
  reason?: string;
}
