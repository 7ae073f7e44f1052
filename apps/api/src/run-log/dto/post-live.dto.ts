import { LIVE_TYPES, LOG_LEVELS, type LiveType, type LogLevel } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, NestedList, Payload, Text } from '../../http/field-kinds.js';

export class LiveItemDto {
  @Choice({ of: LIVE_TYPES, description: 'A piece of what a model is saying, or a line of a log.' })
  type: LiveType;

  @Text({ max: 16_384, description: 'The piece, or the line.' })
  text: string;

  @Id({ optional: true, description: 'The step that it comes from. It is passed on, and not looked up.' })
  step_id?: string;

  @Id({
    optional: true,
    description: 'The message that it will be part of. It is passed on, and not looked up.',
  })
  message_id?: string;

  @Choice({ of: LOG_LEVELS, optional: true, description: 'How much a line of a log matters.' })
  level?: LogLevel;

  @Payload({ optional: true, description: 'Whatever else belongs to it, as it was sent.' })
  data?: RawJson;
}

export class PostLiveDto {
  @NestedList(() => LiveItemDto, { max: 256, description: 'In their order.' })
  items: LiveItemDto[];
}
