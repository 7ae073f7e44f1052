import type { RunCommand } from '@agentflow/contracts';
import { Database, type Actor, type Transaction } from '@agentflow/database';
import { DomainError, allowedTransitions, isTerminal, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { AgentRegistry } from '../agents/agent-registry.js';
import { findAgent, findAgentByName } from '../agents/sql/find-agent.js';
import { asksTheSame, refuseUnanswerable } from '../approvals/ask.js';
import type { LeaseClaim, LeaseStanding, Reporter } from '../reporting/lease.js';
import { holdRun, presentHead } from '../reporting/run-head.js';
import type { Stored } from '../reporting/stored.js';
import { ended } from './end-run.js';
import { runDraft, type NewRun, type PinnedAgent } from './new-run.js';
import { paused, resumed } from './pause-run.js';
import { recordRunAct, toldOf, type Told } from './run-acts.js';
import { isRepeat, moveOf, type MoveContent } from './run-moves.js';
import type { RunRow } from './run-row.js';
import { repeatsCreation } from './same-run.js';
import { removeRun } from './sql/delete-run.js';
import { findRun, findRunByExternalId, lockRun, wasDeleted } from './sql/find-run.js';
import { insertNewRun, type RunDraft } from './sql/insert-run.js';
import { move, type RunMove } from './sql/move-run.js';

/** Runs: how they come to be, how they move, how they go. */
@Injectable()
export class RunsService {
  constructor(
    private readonly database: Database,
    private readonly agents: AgentRegistry,
  ) {}

  /**
   * Creates a run, pinned to its agent's present version. The same id or external id with the same content again
   * is the stored run; with other content it is a conflict, and a deleted run does not come back.
   */
  async create(actor: Actor, run: NewRun): Promise<Stored<RunRow>> {
    return this.database.grouped(actor, run.id ?? randomUUID(), async (tx) => {
      const draft = runDraft(run, await this.agentOf(tx, actor, run), actor.keyId);
      const row = await insertNewRun(tx, draft);
      const stored = row ? { row, isNew: true } : await whyNot(tx, run, draft);
      const { project_id } = stored.row;
      if (stored.isNew && run.project_id !== undefined && project_id !== run.project_id) throw notFound();
      return stored;
    });
  }

  async get(actor: Actor, id: string): Promise<RunRow> {
    const row = (await this.database.read(actor, (tx) => [findRun(tx, id)]))[0];
    if (!row) throw notFound();
    return row;
  }

  /** Carries out a command; the same one with the same content again is a success without a second event. */
  async move(actor: Reporter, id: string, command: RunCommand, content: MoveContent): Promise<RunRow> {
    const { lease } = actor;
    await refuseUnanswerable(content.approvals ?? []);
    const wanted = moveOf(id, command, content, randomUUID(), actor.keyId);
    const told = toldOf(command, actor);
    return this.database.grouped(actor, id, async (tx) => {
      if (lease) await presentHead(tx, id, await holdRun(tx, id, lease));
      const row = await carriedOut(tx, wanted, content, told);
      if (lease && row) lease.standing = row;
      if (row) return row;
      // Held, so that the state that is told is the state that refuses; it may have come where the move begins.
      await lockRun(tx, id);
      const run = await presentRun(tx, id);
      const isSame = command !== 'wait' || (await asksTheSame(tx, id, content.approvals));
      if (isSame && isRepeat(run, wanted)) return run;
      if (wanted.from.includes(run.status)) return (await carriedOut(tx, wanted, content, told)) as RunRow;
      throw new DomainError('run.transition_refused', {
        detail: `A run that is ${run.status} does not ${command}.`,
        members: { current_state: run.status, allowed: allowedTransitions(run.status) },
      });
    });
  }

  /** Prolongs the lease; the holder of a run that has ended is told so, anybody else is refused. */
  async heartbeat(actor: Actor, id: string, token: string): Promise<LeaseStanding> {
    return this.database.grouped(actor, id, async (tx) => {
      const lease: LeaseClaim = { token };
      await presentHead(tx, id, await holdRun(tx, id, lease));
      return lease.standing as LeaseStanding;
    });
  }

  /** Deletes a run with all that is below it; an active one only by force. */
  async remove(actor: Actor, id: string, force: boolean): Promise<void> {
    await this.database.transaction(
      actor,
      async (tx) => {
        if (!(await lockRun(tx, id))) throw notFound();
        const gone = await removeRun(tx, id, force);
        if (gone) return recordRunAct(tx, { by: actor, action: 'run.deleted' }, gone);
        const run = (await findRun(tx, id)) as RunRow;
        throw new DomainError('run.active', { members: { current_state: run.status } });
      },
      { statementTimeoutMs: 60_000 },
    );
  }

  private async agentOf(tx: Transaction, actor: Actor, run: NewRun): Promise<PinnedAgent> {
    if ((run.agent_id === undefined) === (run.agent === undefined)) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: '/agent_id', detail: 'either agent_id or agent has to be given, and not both' }],
      });
    }
    if (run.agent === undefined) return { id: run.agent_id as string };
    const stored = await storedRun(tx, { id: run.id, externalId: run.external_id });
    if (!stored) return this.agents.register(tx, actor, run.agent, run.project_id);
    // A creation that comes again defines nothing: its agent may have been changed since.
    const named = await findAgentByName(tx, run.agent.name);
    if (named?.id !== stored.agent_id) throw otherContent(stored, run.id);
    return { id: named.id };
  }
}

/** The move, when the run stands where it begins. */
function carriedOut(
  tx: Transaction,
  wanted: RunMove,
  content: MoveContent,
  told: Told | undefined,
): Promise<RunRow | undefined> {
  if (isTerminal(wanted.to)) return ended(tx, wanted, told);
  if (wanted.command === 'wait') return paused(tx, wanted, content.approvals);
  return wanted.command === 'resume' ? resumed(tx, wanted, told) : move(tx, wanted);
}

/** The run as it stands; gone for a day after its deletion, then not there. */
async function presentRun(tx: Transaction, id: string): Promise<RunRow> {
  const run = await findRun(tx, id);
  if (run) return run;
  throw (await wasDeleted(tx, id)) ? new DomainError('run.deleted') : notFound();
}

/**
 * Why no run was written: it is there already, its id stands for another, or what it refers to is out of sight. What it
 * refers to may also have been written in the same moment; then it is written now.
 */
async function whyNot(tx: Transaction, run: NewRun, draft: RunDraft): Promise<Stored<RunRow>> {
  const stored = await storedRun(tx, { id: draft.id, externalId: draft.external_id });
  if (stored && repeatsCreation(stored, run, draft.agent_id)) return { row: stored, isNew: false };
  if (stored) throw otherContent(stored, draft.id);
  if (await wasDeleted(tx, draft.id)) throw new DomainError('run.deleted');
  const agent = await findAgent(tx, draft.agent_id);
  const parent = draft.parent_run_id === null || (await findRun(tx, draft.parent_run_id));
  if (!agent || !parent) throw notFound();
  const row = await insertNewRun(tx, draft);
  if (row) return { row, isNew: true };
  // Somewhere else in the organization, where this key does not see it.
  throw new DomainError('id_conflict', { detail: 'The id or the external id is taken.' });
}

function otherContent(stored: RunRow, id: string | undefined): DomainError {
  return new DomainError(stored.id === id ? 'id_conflict' : 'external_id_conflict');
}

/** The run of this id, or else of this external id. */
async function storedRun(
  tx: Transaction,
  { id, externalId = null }: { id?: string; externalId?: string | null },
): Promise<RunRow | undefined> {
  const byId = id === undefined ? undefined : await findRun(tx, id);
  return byId ?? (externalId === null ? undefined : findRunByExternalId(tx, externalId));
}
