import { Database, type Actor, type Slice } from '@agentflow/database';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { findAgent } from '../agents/sql/find-agent.js';
import { clock } from '../reporting/clock.js';
import type { Stored } from '../reporting/stored.js';
import { completeToolCallRow } from './sql/complete-tool-call.js';
import { findCallOfAgent, listCallsOfAgent } from './sql/find-tool-calls.js';
import { writeToolCall } from './sql/insert-tool-calls.js';
import { decideCompletion, toolCallDraft } from './tool-call-report.js';
import type { NewToolCall, ToolCallCompletion, ToolCallRow } from './tool-call-row.js';
import { sameCall } from './tool-calls.service.js';

/** Tool calls that an agent makes outside its runs. */
@Injectable()
export class AgentToolCallsService {
  constructor(private readonly database: Database) {}

  /** Adds a call. The same id with the same content again is the stored call. */
  async add(actor: Actor, agentId: string, call: NewToolCall): Promise<Stored<ToolCallRow>> {
    const id = call.id ?? newId();
    return this.database.transaction(actor, async (tx) => {
      const [agent, now] = await tx.together(findAgent(tx, agentId), clock(tx));
      if (!agent) throw notFound();
      const row = await writeToolCall(tx, toolCallDraft({ agentId, runId: null }, id, call, now));
      if (row) return { row, isNew: true };
      const stored = await findCallOfAgent(tx, agentId, id);
      // The id stands for a call elsewhere, which this caller may not even see.
      if (!stored) throw new DomainError('id_conflict');
      return { row: sameCall(stored, call), isNew: false };
    });
  }

  /** Completes a call. The first completion wins; an identical one again changes nothing. */
  async complete(
    actor: Actor,
    agentId: string,
    id: string,
    completion: ToolCallCompletion,
  ): Promise<ToolCallRow> {
    return this.database.transaction(actor, async (tx) => {
      const [agent, stored, now] = await tx.together(
        findAgent(tx, agentId),
        findCallOfAgent(tx, agentId, id, { hold: true }),
        clock(tx),
      );
      if (!agent || !stored) throw notFound();
      const update = decideCompletion(stored, completion, { now });
      return update ? completeToolCallRow(tx, update) : stored;
    });
  }

  async get(actor: Actor, agentId: string, id: string): Promise<ToolCallRow> {
    const [agent, row] = await this.database.read(actor, (tx) => [
      findAgent(tx, agentId),
      findCallOfAgent(tx, agentId, id),
    ]);
    if (!agent || !row) throw notFound();
    return row;
  }

  /** An agent's calls outside runs, newest first. */
  async list(actor: Actor, agentId: string, slice: Slice): Promise<ToolCallRow[]> {
    const [agent, rows] = await this.database.read(actor, (tx) => [
      findAgent(tx, agentId),
      listCallsOfAgent(tx, agentId, slice),
    ]);
    if (!agent) throw notFound();
    return rows;
  }
}
