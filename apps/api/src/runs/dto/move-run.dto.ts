import type { RawJson } from '@agentflow/domain';
import { OpenApprovalDto } from '../../approvals/dto/open-approval.dto.js';
import { Flag, Id, Integer, NestedList, Payload, Text } from '../../http/field-kinds.js';

const MIB = 1024 * 1024;

export class StartRunDto {
  @Integer({ min: 1, max: 86_400, optional: true, description: 'Seconds that a holder may be silent.' })
  lease_seconds?: number;
}

export class WaitRunDto {
  @Text({ max: 16_384, optional: true, description: 'What a person is asked.' })
  question?: string;

  @Payload({ optional: true, description: 'What the question is about, as it was sent.' })
  payload?: RawJson;

  @Text({
    max: 64,
    min: 1,
    optional: true,
    description: 'The kind of question, such as `tool` or `question`.',
  })
  kind?: string;

  @NestedList(() => OpenApprovalDto, {
    max: 100,
    optional: true,
    description: 'What people have to decide, each by itself. Without any, the question is the one thing.',
  })
  approvals?: OpenApprovalDto[];
}

export class ResumeRunDto {
  @Payload({ optional: true, description: 'The answer, for whoever waits for it.' })
  input?: RawJson;
}

export class SucceedRunDto {
  @Payload({ optional: true, description: 'What the agent came to, as it was sent.' })
  output?: RawJson;
}

export class FailRunDto {
  @Text({ max: MIB, optional: true, description: 'What went wrong.' })
  error?: string;

  @Text({ max: 256, min: 1, optional: true, description: 'The kind of error, such as an exception class.' })
  error_type?: string;
}

export class CancelRunDto {
  @Text({ max: 16_384, optional: true, description: 'Why the run is called off.' })
  reason?: string;
}

export class HeartbeatDto {
  @Id({ description: 'The token that came with the lease.' })
  lease_token: string;
}

export class DeleteRunQuery {
  @Flag({ optional: true, description: 'Delete the run even while it is active.' })
  force?: boolean;
}
