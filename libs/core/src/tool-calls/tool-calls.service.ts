import { Database, type Actor, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, isToolCallTerminal, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import type { Reporter } from '../reporting/lease.js';
import { holdRun, presentHead, refuseWhenFinal, type RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { addToRun } from '../reporting/sql/add-to-run.js';
import { appendEvent, nextEntry, type RunEvent } from '../reporting/sql/append-event.js';
import type { Stored } from '../reporting/stored.js';
import { seesRun } from '../runs/sql/find-run.js';
import { hasStep } from '../steps/sql/find-steps.js';
import { completeToolCallRow, type ToolCallUpdate } from './sql/complete-tool-call.js';
import { findCallOfRun, findOldestOpenCall, listCallsOfRun } from './sql/find-tool-calls.js';
import { writeToolCall } from './sql/insert-tool-calls.js';
import { decideCompletion, toolCallDraft } from './tool-call-report.js';
import type { NewToolCall, ToolCallCompletion, ToolCallRow } from './tool-call-row.js';

/** A completion that names no call: it is meant for the oldest open one of that name in that step. */
export interface UnnamedCompletion extends ToolCallCompletion {
  name: string;
  step_id?: string;
}

/** The tool calls of a run. Calls that share a name are told apart by their id, whatever the order of their ends. */
@Injectable()
export class ToolCallsService {
  constructor(private readonly database: Database) {}

  /** Adds a call. The same id with the same content again is the stored call. */
  async add(actor: Reporter, runId: string, call: NewToolCall): Promise<Stored<ToolCallRow>> {
    const id = call.id ?? newId();
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored, hasItsStep] = await tx.together(
        holdRun(tx, runId, actor.lease),
        call.id === undefined ? undefined : findCallOfRun(tx, runId, id),
        hasStep(tx, runId, call.step_id),
      );
      const head = await presentHead(tx, runId, held);
      if (stored) return { row: sameCall(stored, call), isNew: false };
      refuseWhenFinal(head);
      if (!hasItsStep) throw notFound();
      return { row: await this.write(tx, head, id, call, actor.keyId), isNew: true };
    });
  }

  /** Completes a call. The first completion wins; an identical one again changes nothing. */
  async complete(
    actor: Reporter,
    runId: string,
    id: string,
    completion: ToolCallCompletion,
  ): Promise<ToolCallRow> {
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored] = await tx.together(holdRun(tx, runId, actor.lease), findCallOfRun(tx, runId, id));
      const head = await presentHead(tx, runId, held);
      if (!stored) throw notFound();
      return this.close(tx, head, stored, completion, actor.keyId);
    });
  }

  /** Completes the oldest open call of a name, for adapters that know no ids. */
  async completeOldest(actor: Reporter, runId: string, completion: UnnamedCompletion): Promise<ToolCallRow> {
    const { name, step_id, ...content } = completion;
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored] = await tx.together(
        holdRun(tx, runId, actor.lease),
        findOldestOpenCall(tx, runId, step_id ?? null, name),
      );
      const head = await presentHead(tx, runId, held);
      if (!stored) throw notFound();
      return this.close(tx, head, stored, content, actor.keyId);
    });
  }

  async get(actor: Actor, runId: string, id: string): Promise<ToolCallRow> {
    const [isSeen, row] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      findCallOfRun(tx, runId, id),
    ]);
    if (!isSeen || !row) throw notFound();
    return row;
  }

  /** A run's calls in the order in which they came, or backwards; of one step when one is named. */
  async list(
    actor: Actor,
    runId: string,
    slice: Slice,
    order: 'asc' | 'desc' = 'asc',
    stepId?: string,
  ): Promise<ToolCallRow[]> {
    const [isSeen, rows] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      listCallsOfRun(tx, runId, slice, order, stepId),
    ]);
    if (!isSeen) throw notFound();
    return rows;
  }

  private async write(
    tx: Transaction,
    head: RunHead,
    id: string,
    call: NewToolCall,
    keyId: string | null,
  ): Promise<ToolCallRow> {
    const draft = toolCallDraft({ agentId: head.agent_id, runId: head.id }, id, call, head.now);
    const row = await writeToolCall(tx, draft);
    // The id stands for a call of another run or agent, which this caller may not even see.
    if (!row) throw new DomainError('id_conflict');
    const failed = row.status === 'failed' ? 1 : 0;
    await tx.conclude(
      appendEvent(tx, callEvent(head, row, keyId)),
      addToRun(tx, head.id, { events: 1, tool_calls: 1, failed_tool_calls: failed }),
    );
    return row;
  }

  private async close(
    tx: Transaction,
    head: RunHead,
    stored: ToolCallRow,
    completion: ToolCallCompletion,
    keyId: string | null,
  ): Promise<ToolCallRow> {
    const update = decideCompletion(stored, completion, head);
    if (!update) return stored;
    const [row] = await tx.conclude(
      completeToolCallRow(tx, update),
      appendEvent(tx, callEvent(head, { ...stored, ...update }, keyId)),
      addToRun(tx, head.id, { events: 1, failed_tool_calls: failures(update) - failures(stored) }),
    );
    return row;
  }
}

function failures({ status }: Pick<ToolCallUpdate, 'status'>): number {
  return status === 'failed' ? 1 : 0;
}

function callEvent(
  head: RunHead,
  call: Pick<ToolCallRow, 'id' | 'name' | 'status' | 'step_id'>,
  actor: string | null,
): RunEvent {
  return nextEntry(head, {
    type: isToolCallTerminal(call.status) ? 'tool_call.completed' : 'tool_call.started',
    entity_id: call.id,
    data: { call_id: call.id, name: call.name, status: call.status, step_id: call.step_id },
    actor,
  });
}

/** What only a creation says; the rest may have been changed by a completion since. */
const CREATION_ONLY = ['step_id', 'name', 'arguments', 'provider_call_id', 'started_at'];

/** The stored call, when a repeated report agrees with it. */
export function sameCall(stored: ToolCallRow, call: NewToolCall): ToolCallRow {
  const isAsCreated = stored.created_at === stored.updated_at;
  const stated = Object.entries(call).filter(([name]) => isAsCreated || CREATION_ONLY.includes(name));
  if (!agreesWith(stored, Object.fromEntries(stated))) throw new DomainError('id_conflict');
  return stored;
}
