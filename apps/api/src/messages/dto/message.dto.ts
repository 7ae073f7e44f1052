import { MESSAGE_ROLES, type MessageRole } from '@agentflow/contracts';
import type { MessageRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, Integer, ListOf, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

/** Characters; the limit on payloads bounds the bytes. */
const LONGEST_CONTENT = 4_000_000;

export class CreateMessageDto {
  @Id({
    optional: true,
    description: 'The id of the message within its run. The same one again is the same message.',
  })
  id?: string;

  @Id({ optional: true, description: 'The step of the same run that the message belongs to.' })
  step_id?: string;

  @Choice({ of: MESSAGE_ROLES, description: 'Who speaks.' })
  role: MessageRole;

  @Text({ max: 256, min: 1, optional: true, description: 'The name of who speaks.' })
  name?: string;

  @Text({
    max: LONGEST_CONTENT,
    optional: true,
    nullable: true,
    description: 'What is said. Other forms go into `extra`.',
  })
  content?: string | null;

  @Text({ max: 256, min: 1, optional: true, description: 'The tool call that the message answers.' })
  tool_call_id?: string;

  @Payload({ optional: true, description: 'Whatever else belongs to the message, as it was sent.' })
  extra?: RawJson;
}

export class MessageResponse {
  @Id({ description: 'The message.' })
  id: string;

  @Id({ description: 'The run that it belongs to.' })
  run_id: string;

  @Id({ nullable: true, description: 'The step that it belongs to.' })
  step_id: string | null;

  @Integer({ min: 0, max: 2 ** 31 - 1, description: 'Its place in the run: from 0, without gaps.' })
  index: number;

  @Choice({ of: MESSAGE_ROLES, description: 'Who speaks.' })
  role: MessageRole;

  @Text({ max: 256, nullable: true, description: 'The name of who speaks.' })
  name: string | null;

  @Text({ max: LONGEST_CONTENT, nullable: true, description: 'What is said.' })
  content: string | null;

  @Text({ max: 256, nullable: true, description: 'The tool call that the message answers.' })
  tool_call_id: string | null;

  @Payload({ nullable: true, description: 'Whatever else belongs to the message, as it was sent.' })
  extra: RawJson | null;

  @Timestamp({ nullable: true, description: 'When it was sent, by the reporter’s clock.' })
  at: string | null;

  @Timestamp({ description: 'When the message was reported.' })
  created_at: string;

  static of(row: MessageRow): MessageResponse {
    return { ...row };
  }
}

export class MessagePage {
  @ListOf(() => MessageResponse, { description: 'By index.' })
  data: MessageResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<MessageRow>): MessagePage {
    return { data: rows.map((row) => MessageResponse.of(row)), next_cursor: nextCursor };
  }
}
