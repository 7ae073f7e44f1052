import { Database, type Actor, type Slice } from '@agentflow/database';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import type { Reporter } from '../reporting/lease.js';
import { holdRun, presentHead, refuseWhenFinal, type RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { addToRun } from '../reporting/sql/add-to-run.js';
import { appendEvent, nextEntry } from '../reporting/sql/append-event.js';
import type { Stored } from '../reporting/stored.js';
import { seesRun } from '../runs/sql/find-run.js';
import { hasStep } from '../steps/sql/find-steps.js';
import type { MessageRow, NewMessage } from './message-row.js';
import { findMessage, listMessages } from './sql/find-messages.js';
import { writeMessage } from './sql/insert-messages.js';

/** The messages of a run: written once, in the order of their index. */
@Injectable()
export class MessagesService {
  constructor(private readonly database: Database) {}

  /** Adds a message at the next index. The same id with the same content again is the stored message. */
  async add(actor: Reporter, runId: string, message: NewMessage): Promise<Stored<MessageRow>> {
    const id = message.id ?? newId();
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored, hasItsStep] = await tx.together(
        holdRun(tx, runId, actor.lease),
        message.id === undefined ? undefined : findMessage(tx, runId, id),
        hasStep(tx, runId, message.step_id),
      );
      const head = await presentHead(tx, runId, held);
      if (stored && !agreesWith(stored, message)) throw new DomainError('id_conflict');
      if (stored) return { row: stored, isNew: false };
      refuseWhenFinal(head);
      if (!hasItsStep) throw notFound();
      const draft = draftOf(head, id, message);
      const { index, role, step_id } = draft;
      const [row] = await tx.conclude(
        writeMessage(tx, draft),
        appendEvent(
          tx,
          nextEntry(head, {
            type: 'message.created',
            entity_id: id,
            data: { index, role, step_id },
            actor: actor.keyId,
          }),
        ),
        addToRun(tx, runId, { events: 1, messages: 1 }),
      );
      return { row, isNew: true };
    });
  }

  /** A run's messages in the order of their index, or backwards. */
  async list(
    actor: Actor,
    runId: string,
    slice: Slice,
    order: 'asc' | 'desc' = 'asc',
  ): Promise<MessageRow[]> {
    const [isSeen, rows] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      listMessages(tx, runId, slice, order),
    ]);
    if (!isSeen) throw notFound();
    return rows;
  }
}

function draftOf(head: RunHead, id: string, message: NewMessage): Omit<MessageRow, 'created_at'> {
  return {
    id,
    run_id: head.id,
    step_id: message.step_id ?? null,
    index: head.next_message_index,
    role: message.role,
    name: message.name ?? null,
    content: message.content ?? null,
    tool_call_id: message.tool_call_id ?? null,
    extra: message.extra ?? null,
    at: null,
  };
}
