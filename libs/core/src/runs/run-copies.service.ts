import { Database, type Actor, type Transaction } from '@agentflow/database';
import { DomainError, notFound, type RawJson } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { findAgent, findAgentByName } from '../agents/sql/find-agent.js';
import { recordAct } from '../audit-log/sql/record-acts.js';
import type { CheckpointRow } from '../checkpoints/checkpoint-row.js';
import { findCheckpoint, findCheckpointAt } from '../checkpoints/sql/find-checkpoints.js';
import type { Stored } from '../reporting/stored.js';
import { moveOf } from './run-moves.js';
import type { RunRow, RunSummaryRow } from './run-row.js';
import { findRecordedCalls, holdOfferedRun, type RecordedCall } from './sql/claim-run.js';
import { writeCopy } from './sql/copy-run.js';
import { findAncestors, findDescendants, MOST_RELATIVES } from './sql/find-lineage.js';
import { findRun, keepRun, wasDeleted } from './sql/find-run.js';
import { move } from './sql/move-run.js';

/** What is to be other than in the source. */
export interface CopyWishes {
  input?: RawJson;
  agent_version?: number;
  /** What whoever picks the run up is given of the source; nothing when it is not said. */
  reuse?: 'none' | 'recorded_tool_results';
  reason?: string;
}

/** Who wants to work, and on what: an agent by its id or by its name. */
export interface RunClaim {
  agent_id?: string;
  agent?: string;
  lease_seconds: number;
}

/** A run that was picked up, and what to begin with. */
export interface ClaimedRun extends RunRow {
  checkpoint: CheckpointRow | undefined;
  /** Absent when the run was made without reuse. */
  recorded: { calls: RecordedCall[]; isComplete: boolean } | undefined;
}

export interface Lineage {
  ancestors: RunSummaryRow[];
  descendants: RunSummaryRow[];
  /** There is more in either direction. */
  hasMore: boolean;
}

/** Runs that are made of others: retries and forks, who picks them up, and where runs come from. */
@Injectable()
export class RunCopiesService {
  constructor(private readonly database: Database) {}

  /** Makes a pending run that does again what the source did. */
  retry(actor: Actor, sourceId: string, wishes: CopyWishes): Promise<Stored<RunRow>> {
    return this.database.transaction(actor, async (tx) =>
      copied(tx, actor, await presentSource(tx, sourceId), wishes, undefined),
    );
  }

  /** Makes a pending run that goes on from a checkpoint of the source. */
  fork(actor: Actor, sourceId: string, index: number, wishes: CopyWishes): Promise<Stored<RunRow>> {
    return this.database.transaction(actor, async (tx) => {
      const source = await presentSource(tx, sourceId);
      const checkpoint = await findCheckpointAt(tx, sourceId, index);
      if (!checkpoint) throw notFound();
      return copied(tx, actor, source, wishes, checkpoint);
    });
  }

  /**
   * Picks up the oldest pending run of the agent, and starts it under a lease. Each of several at once gets a run of its
   * own; undefined when there is none.
   */
  claim(actor: Actor, { agent_id, agent, lease_seconds }: RunClaim): Promise<ClaimedRun | undefined> {
    if ((agent_id === undefined) === (agent === undefined)) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: '/agent_id', detail: 'either agent_id or agent has to be given, and not both' }],
      });
    }
    return this.database.transaction(actor, async (tx) => {
      const known = agent_id === undefined ? findAgentByName(tx, agent as string) : findAgent(tx, agent_id);
      const claimed = await known;
      if (!claimed) throw notFound();
      const offer = await holdOfferedRun(tx, claimed.id);
      if (!offer) return undefined;
      const start = moveOf(offer.id, 'start', { lease_seconds }, randomUUID(), actor.keyId);
      const run = (await move(tx, start)) as RunRow;
      const { parent_run_id: sourceId, from_checkpoint_id: checkpointId, reuse } = offer;
      // The source may lie where this key does not see it any more.
      const isSeen = sourceId !== null && (await findRun(tx, sourceId)) !== undefined;
      const from = (isSeen ? sourceId : null) as string;
      return {
        ...run,
        checkpoint:
          isSeen && checkpointId !== null ? await findCheckpoint(tx, from, checkpointId) : undefined,
        recorded: isSeen && reuse !== null ? await findRecordedCalls(tx, from, checkpointId) : undefined,
      };
    });
  }

  /** Where a run comes from and what came from it, as far as the key sees. */
  async lineage(actor: Actor, id: string): Promise<Lineage> {
    const [run, above, below] = await this.database.read(actor, (tx) => [
      findRun(tx, id),
      findAncestors(tx, id),
      findDescendants(tx, id),
    ]);
    if (!run) throw notFound();
    return {
      ancestors: above.slice(0, MOST_RELATIVES),
      descendants: below.slice(0, MOST_RELATIVES),
      hasMore: above.length > MOST_RELATIVES || below.length > MOST_RELATIVES,
    };
  }
}

async function copied(
  tx: Transaction,
  actor: Actor,
  source: RunRow,
  { input, agent_version, reuse, reason }: CopyWishes,
  checkpoint: CheckpointRow | undefined,
): Promise<Stored<RunRow>> {
  const row = await writeCopy(tx, {
    id: newId(),
    sourceId: source.id,
    origin: checkpoint ? 'fork' : 'retry',
    checkpointId: checkpoint?.id ?? null,
    input: input ?? null,
    agentVersion: agent_version ?? null,
    reuse: reuse === 'recorded_tool_results' ? reuse : null,
    reason: reason ?? null,
    actor: actor.keyId,
  });
  // The source is there, so it is its agent that is going, or a version that there never was.
  if (!row) throw notFound();
  await recordAct(tx, actor, {
    action: checkpoint ? 'run.forked' : 'run.retried',
    entityId: source.id,
    projectId: source.project_id,
    agentId: source.agent_id,
    after: { run_id: row.id },
  });
  return { row, isNew: true };
}

/** The source, which stays while something is made of it. */
async function presentSource(tx: Transaction, id: string): Promise<RunRow> {
  const run = await keepRun(tx, id);
  if (run) return run;
  throw (await wasDeleted(tx, id)) ? new DomainError('run.deleted') : notFound();
}
