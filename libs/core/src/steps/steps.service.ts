import { Database, type Actor, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { PriceBook } from '../pricing/price-book.js';
import { NO_OVERRIDES, type PriceOverrides } from '../pricing/price-overrides.js';
import type { Reporter } from '../reporting/lease.js';
import { holdRun, presentHead, refuseWhenFinal, type RunHead } from '../reporting/run-head.js';
import { agreesWith } from '../reporting/same-content.js';
import { addToRun } from '../reporting/sql/add-to-run.js';
import { appendEvent } from '../reporting/sql/append-event.js';
import type { Stored } from '../reporting/stored.js';
import { seesRun } from '../runs/sql/find-run.js';
import { findStep, hasStep, listSteps } from './sql/find-steps.js';
import { writeStep, type StepDraft } from './sql/insert-steps.js';
import { overwriteStep } from './sql/update-step.js';
import { decideStepChange } from './step-change.js';
import { isDone, stepEvent } from './step-event.js';
import { isPricedBy, stepDraft, type NewStep, type StepChange } from './step-report.js';
import { asReported, type StepRow } from './step-row.js';
import { coverAncestors, usageOf } from './step-usage.js';

/** The steps of a run: hold the run, look, decide, write, announce; in one transaction. */
@Injectable()
export class StepsService {
  constructor(
    private readonly database: Database,
    private readonly prices: PriceBook,
  ) {}

  /** Adds a step at the next index. The same id with the same content again is the stored step. */
  async add(actor: Reporter, runId: string, step: NewStep): Promise<Stored<StepRow>> {
    const id = step.id ?? newId();
    const parentId = step.parent_step_id;
    if (parentId === id) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: '/parent_step_id', detail: 'a step is not its own parent' }],
      });
    }
    const overrides = await this.overridesFor(actor, step);
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored, hasParent] = await tx.together(
        holdRun(tx, runId, actor.lease),
        step.id === undefined ? undefined : findStep(tx, { run_id: runId, id }),
        hasStep(tx, runId, parentId),
      );
      const head = await presentHead(tx, runId, held);
      if (stored) return { row: sameStep(stored, step), isNew: false };
      refuseWhenFinal(head);
      if (!hasParent) throw notFound();
      const draft = stepDraft(head, id, step, overrides);
      return { row: await this.write(tx, head, draft, actor.keyId), isNew: true };
    });
  }

  /** Updates or completes a step. The first completion wins; an identical one again changes nothing. */
  async change(actor: Reporter, runId: string, id: string, change: StepChange): Promise<StepRow> {
    const overrides = await this.overridesFor(actor, change);
    return this.database.grouped(actor, runId, async (tx) => {
      const [held, stored] = await tx.together(
        holdRun(tx, runId, actor.lease),
        findStep(tx, { run_id: runId, id }),
      );
      const head = await presentHead(tx, runId, held);
      if (!stored) throw notFound();
      const update = decideStepChange(stored, change, head, overrides);
      if (!update) return stored;
      const changed = { ...stored, ...update };
      const covered = await coverAncestors(tx, changed);
      const [row] = await tx.conclude(
        overwriteStep(tx, update),
        appendEvent(tx, stepEvent(head, changed, actor.keyId, { wasDone: isDone(stored) })),
        addToRun(tx, head.id, ...covered, usageOf(stored, -1), { ...usageOf(changed, 1), events: 1 }),
      );
      return row;
    });
  }

  async get(actor: Actor, runId: string, id: string): Promise<StepRow> {
    const [isSeen, row] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      findStep(tx, { run_id: runId, id }),
    ]);
    if (!isSeen || !row) throw notFound();
    return row;
  }

  /** A run's steps in the order of their index, or backwards. */
  async list(actor: Actor, runId: string, slice: Slice, order: 'asc' | 'desc' = 'asc'): Promise<StepRow[]> {
    const [isSeen, rows] = await this.database.read(actor, (tx) => [
      seesRun(tx, runId),
      listSteps(tx, runId, slice, order),
    ]);
    if (!isSeen) throw notFound();
    return rows;
  }

  /** The own prices of the organization, when they matter to what is reported. */
  private async overridesFor(actor: Actor, said: StepChange): Promise<PriceOverrides> {
    return isPricedBy(said) ? this.prices.overridesOf(actor) : NO_OVERRIDES;
  }

  private async write(
    tx: Transaction,
    head: RunHead,
    draft: StepDraft,
    keyId: string | null,
  ): Promise<StepRow> {
    const covered = await coverAncestors(tx, draft);
    const fresh = { ...draft, tokens_below: false, cost_below: false };
    const [row] = await tx.conclude(
      writeStep(tx, draft),
      appendEvent(tx, stepEvent(head, draft, keyId, { isNew: true })),
      addToRun(tx, head.id, ...covered, { ...usageOf(fresh, 1), events: 1, steps: 1 }),
    );
    return row;
  }
}

/** What only a creation says; the rest may have been changed by an update since. */
const CREATION_ONLY = [
  'node',
  'kind',
  'parent_step_id',
  'input',
  'agent_role',
  'tier',
  'started_at',
  'external_id',
];

function sameStep(stored: StepRow, step: NewStep): StepRow {
  const isAsCreated = stored.created_at === stored.updated_at;
  const stated = Object.entries(step).filter(([name]) => isAsCreated || CREATION_ONLY.includes(name));
  if (!agreesWith(asReported(stored), Object.fromEntries(stated))) throw new DomainError('id_conflict');
  return stored;
}
