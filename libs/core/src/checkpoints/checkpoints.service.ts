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
import type { CheckpointRow, CheckpointSummaryRow, NewCheckpoint } from './checkpoint-row.js';
import { findCheckpoint, findCheckpointAt, listCheckpoints } from './sql/find-checkpoints.js';
import { writeCheckpoint } from './sql/insert-checkpoints.js';

/** The checkpoints of a run: states to resume or fork from, written once. */
@Injectable()
export class CheckpointsService {
  constructor(private readonly database: Database) {}

  /** Adds a checkpoint at the next index. The same id with the same content again is the stored checkpoint. */
  async add(actor: Reporter, runId: string, checkpoint: NewCheckpoint): Promise<Stored<CheckpointRow>> {
    const id = checkpoint.id ?? newId();
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored, hasItsStep] = await tx.together(
        holdRun(tx, runId, actor.lease),
        checkpoint.id === undefined ? undefined : findCheckpoint(tx, runId, id),
        hasStep(tx, runId, checkpoint.step_id),
      );
      const head = await presentHead(tx, runId, held);
      if (stored && !agreesWith(stored, checkpoint)) throw new DomainError('id_conflict');
      if (stored) return { row: stored, isNew: false };
      refuseWhenFinal(head);
      if (!hasItsStep) throw notFound();
      const draft = draftOf(head, id, checkpoint);
      const { index, label } = draft;
      const [row] = await tx.conclude(
        writeCheckpoint(tx, draft),
        appendEvent(
          tx,
          nextEntry(head, {
            type: 'checkpoint.created',
            entity_id: id,
            data: { index, label },
            actor: actor.keyId,
          }),
        ),
        addToRun(tx, runId, { events: 1, checkpoints: 1 }),
      );
      return { row, isNew: true };
    });
  }

  /** The checkpoint at an index, or the latest, with its state. */
  async get(actor: Actor, runId: string, index: number | 'latest'): Promise<CheckpointRow> {
    const [isSeen, row] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      findCheckpointAt(tx, runId, index),
    ]);
    if (!isSeen || !row) throw notFound();
    return row;
  }

  /** A run's checkpoints in the order of their index, or backwards; without their states. */
  async list(
    actor: Actor,
    runId: string,
    slice: Slice,
    order: 'asc' | 'desc' = 'asc',
  ): Promise<CheckpointSummaryRow[]> {
    const [isSeen, rows] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      listCheckpoints(tx, runId, slice, order),
    ]);
    if (!isSeen) throw notFound();
    return rows;
  }
}

function draftOf(head: RunHead, id: string, checkpoint: NewCheckpoint): Omit<CheckpointRow, 'created_at'> {
  return {
    id,
    run_id: head.id,
    index: head.next_checkpoint_index,
    label: checkpoint.label ?? null,
    step_id: checkpoint.step_id ?? null,
    state: checkpoint.state,
    state_bytes: Buffer.byteLength(checkpoint.state.text),
    at: null,
  };
}
