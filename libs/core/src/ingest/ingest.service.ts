import type { IngestItem, RunStarted } from '@agentflow/contracts';
import { Database, violatedConstraint, type Actor, type Transaction } from '@agentflow/database';
import { DomainError, type RawJson } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { AgentRow } from '../agents/agent-row.js';
import { callOff } from '../approvals/settle.js';
import type { PriceOverrides } from '../pricing/price-overrides.js';
import { PriceBook } from '../pricing/price-book.js';
import { hasPresumedEnd } from '../runs/presumed-end.js';
import { addToEachRun } from '../reporting/sql/add-to-run.js';
import { appendEvents } from '../reporting/sql/append-event.js';
import type { Revision } from './amends.js';
import { Announcements } from './announcements.js';
import { lookUp, lookUpClosed, lookUpParents, type Known } from './batch-lookup.js';
import { Folding, type Runs } from './folding.js';
import { RunRegistration, mentionsIn, type Manner, type Refusals } from './run-registration.js';
import type { RunWork } from './run-work.js';
import { hasComeLoose, writesOf, writtenSteps, type RunWrites } from './run-writes.js';
import { findWholeTrees } from './sql/find-known.js';
import { findRunLines } from './sql/find-run-lines.js';
import { holdRuns, type HeldRun } from './sql/hold-runs.js';
import { attempted } from './sql/savepoint.js';
import {
  insertReportedCalls,
  insertReportedCheckpoints,
  insertReportedMessages,
  reassignReportedCalls,
  updateReportedCalls,
} from './sql/write-children.js';
import {
  insertReportedRuns,
  letReportedRunsRun,
  writeReportedRuns,
  type RunOverwrite,
} from './sql/write-runs.js';
import { coverReportedSteps, insertReportedSteps, updateReportedSteps } from './sql/write-steps.js';
import type { Verdict } from './verdict.js';

type Item = IngestItem<RawJson>;
type Announcement = RunStarted<RawJson>;

/** What a batch is. */
export interface Batch extends Omit<Manner, 'by'> {
  items: readonly Item[];
  /** Runs that have to be held beside those that the items name. */
  runIds?: readonly string[];
  /** Called with those of the runs that were there before, held: what was reported of them may lead to other items. */
  revise?: (tx: Transaction, runIds: readonly string[]) => Promise<Revision>;
  /** Called when the runs are written: what has to be written with them, of those that are not refused. */
  alongside?: (tx: Transaction, runIds: ReadonlySet<string>) => Promise<void>;
}

/** A batch of somebody's. */
type OwnBatch = Batch & Manner;

/** Longer than one request may wait for: a batch holds many rows and writes thousands. */
const LIMITS = { statementTimeoutMs: 30_000, lockTimeoutMs: 10_000 };
/** How often others may come in between: attempts that teach something are as many as there is to be learnt. */
const MOST_RACES = 5;

/** A run that was to be written came into being meanwhile: the whole batch begins anew, and finds it. */
class RunAppeared extends Error {}

/** Runs cannot be written as they were to be: the batch begins anew, and knows why. */
class RunsRefused extends Error {
  constructor(readonly refusals: Refusals) {
    super();
  }
}

/** Ids of tool calls that stand for calls elsewhere, which this caller may not even see. */
class CallsTaken extends Error {
  constructor(readonly ids: ReadonlySet<string>) {
    super();
  }
}

/**
 * Takes what was reported, in whatever order it comes: holds the runs in the order of their ids, looks up what is stored,
 * folds the items in one after the other, and writes everything by one statement a kind. Each item has its verdict, and
 * what is kept is committed when this resolves. The same items again change nothing.
 */
@Injectable()
export class IngestService {
  constructor(
    private readonly database: Database,
    private readonly registration: RunRegistration,
    private readonly prices: PriceBook,
  ) {}

  async ingest(actor: Actor, given: Batch): Promise<Verdict[]> {
    if (given.items.length === 0 && !given.runIds?.length) return [];
    const batch: OwnBatch = { ...given, by: actor };
    const overrides = await this.prices.overridesOf(actor);
    let known: KnownAfterTrying = {
      taken: new Set(),
      refusals: { runs: new Map(), announcements: new Map() },
    };
    for (let races = 0; ;) {
      try {
        return await this.database.transaction(
          actor,
          (tx) => {
            const fold = (): Promise<Verdict[]> => this.fold(tx, actor, batch, overrides, known);
            return actor.within ? attempted(tx, fold) : fold();
          },
          LIMITS,
        );
      } catch (error) {
        const learnt = await this.learnt(actor, batch, known, error);
        if (sizeOf(learnt) === sizeOf(known) && ++races === MOST_RACES) {
          throw new DomainError('unavailable', { detail: 'Others write the same runs at this moment.' });
        }
        known = learnt;
      }
    }
  }

  /** What a failed attempt has taught; thrown on when it is nothing that another attempt could heed. */
  private async learnt(
    actor: Actor,
    batch: Batch,
    known: KnownAfterTrying,
    error: unknown,
  ): Promise<KnownAfterTrying> {
    if (error instanceof RunAppeared) return known;
    if (error instanceof CallsTaken) return { ...known, taken: new Set([...known.taken, ...error.ids]) };
    if (error instanceof RunsRefused) return { ...known, refusals: error.refusals };
    const violated = violatedConstraint(error);
    const mentions = [...mentionsIn(batch.items).values()];
    const { registration } = this;
    if (violated === 'uq_runs_external_id') {
      // A run that was heard of announces itself by the external id of another.
      const looking = (tx: Transaction) => registration.whoseIdIsTaken(tx, mentions, known.refusals);
      return { ...known, refusals: await this.database.transaction(actor, looking) };
    }
    if (violated === 'fk_runs_parent') {
      const looking = (tx: Transaction) => registration.whoseParentIsGone(tx, mentions, known.refusals);
      return { ...known, refusals: await this.database.transaction(actor, looking) };
    }
    throw error;
  }

  private async fold(
    tx: Transaction,
    actor: Actor,
    batch: OwnBatch,
    overrides: PriceOverrides,
    known: KnownAfterTrying,
  ): Promise<Verdict[]> {
    const runs = await this.hold(tx, batch, known.refusals);
    const before = [...runs.held.keys()].filter((id) => !runs.made.has(id));
    const revision = (await batch.revise?.(tx, before)) ?? { items: batch.items, ...NOTHING_REVISED };
    const { items } = revision;
    const stored = batch.revise ? await lookUp(tx, items, runs.made) : runs.stored;
    // Committed between the statement that looked for the run and the one that looked for what is below it.
    if (isBelow(stored, runs.made)) throw new RunAppeared();
    await lookUpClosed(tx, stored, mayEndAnew(runs, batch, revision));
    await lookUpParents(tx, stored);
    const folding = new Folding(runs, stored, known.taken, batch, revision);
    const verdicts: Verdict[] = [];
    for (const item of items) {
      // A batch has thousands of items, and few that have to be waited for.
      if (item.type !== 'run.started') verdicts.push(folding.take(item));
      else {
        const agentOf = () => this.agentFor(tx, item, runs, batch, revision);
        verdicts.push(await folding.announce(item, agentOf));
      }
    }
    for (const work of folding.works.values()) work.conclude();
    await this.write(tx, actor, batch, folding, overrides, known.refusals);
    return verdicts;
  }

  /** Holds the runs, and looks up what is below them in the same round trip; what is missing begins. */
  private async hold(tx: Transaction, batch: OwnBatch, refusals: Refusals): Promise<Runs> {
    const mentions = mentionsIn(batch.items, batch.runIds);
    const ids = [...mentions.keys()];
    const ofRuns = batch.items.filter(({ type }) => type.startsWith('run.'));
    const whole = new Set(batch.revise ? ids : ofRuns.map(({ run_id }) => run_id));
    const parents = ofRuns.flatMap((item) => (item.type === 'run.started' ? (item.parent_run_id ?? []) : []));
    const [found, stored, lines] = await tx.together(
      holdRuns(tx, ids, whole),
      batch.revise ? undefined : lookUp(tx, batch.items),
      findRunLines(tx, parents),
    );
    const held = new Map(found.map((run) => [run.id, run]));
    const missing = [...mentions.values()].filter(({ runId }) => !held.has(runId));
    const announcements = new Announcements(lines);
    const registration = await this.registration.register(tx, missing, batch, refusals, announcements);
    for (const [id, { run }] of registration.made) held.set(id, run);
    return { held, ...registration, stored: stored ?? NOTHING_KNOWN };
  }

  private async agentFor(
    tx: Transaction,
    item: Announcement,
    runs: Runs,
    batch: OwnBatch,
    { partly }: Revision,
  ): Promise<AgentRow | undefined> {
    const run = runs.held.get(item.run_id);
    // Whose run a trace is may be told by a later part of it.
    const mayChange = batch.amends && run?.from_trace === true && !partly.has(item.run_id);
    return run?.announced && !mayChange ? undefined : this.registration.agentOf(tx, item, batch, runs);
  }

  private async write(
    tx: Transaction,
    actor: Actor,
    batch: Batch,
    folding: Folding,
    overrides: PriceOverrides,
    refusals: Refusals,
  ): Promise<void> {
    const works = [...folding.works.values()];
    await callOffApprovals(tx, works, actor.keyId);
    const writes = await this.writesOf(tx, actor, folding, overrides);
    const all = <K extends keyof RunWrites>(name: K): RunWrites[K][number][] =>
      [...writes.values()].flatMap((one) => one[name] as RunWrites[K][number][]);
    const isGrown = (work: RunWork): boolean =>
      work.growth.steps !== 0 || (writes.get(work)?.events.length ?? 0) > 0;
    const overwrite = (work: RunWork): RunOverwrite => ({
      run: work.run,
      additions: writes.get(work)?.additions ?? [],
    });
    const present = works.filter(({ isNew }) => !isNew);
    await this.writeNew(tx, works.filter(({ isNew }) => isNew).map(overwrite), refusals);
    const newCalls = all('newCalls');
    const moved = present.filter(({ formerAgent }) => formerAgent !== undefined);
    const grown = present.filter((work) => !work.isChanged && isGrown(work)).map(overwrite);
    const [, free] = await tx.together(
      insertReportedSteps(tx, all('newSteps')),
      insertReportedCalls(tx, newCalls),
      updateReportedSteps(tx, all('changedSteps')),
      coverReportedSteps(tx, all('coveredSteps')),
      updateReportedCalls(tx, all('changedCalls')),
      insertReportedMessages(
        tx,
        works.flatMap(({ newMessages }) => newMessages),
      ),
      insertReportedCheckpoints(
        tx,
        works.flatMap(({ newCheckpoints }) => newCheckpoints),
      ),
      appendEvents(tx, all('events')),
      letReportedRunsRun(
        tx,
        present.filter(({ hasToRunFirst }) => hasToRunFirst).map(({ run }) => run.id),
      ),
      writeReportedRuns(tx, present.filter((work) => work.isChanged).map(overwrite)),
      addToEachRun(tx, new Map(grown.map(({ run, additions }) => [run.id, additions]))),
      batch.alongside?.(tx, new Set(folding.works.keys())),
      ...moved.map(({ run }) => reassignReportedCalls(tx, run.id, run.agent_id)),
    );
    const lost = newCalls.filter(({ id }) => !free.has(id)).map(({ id }) => id);
    if (lost.length > 0) throw new CallsTaken(new Set(lost));
  }

  /** Writes the runs that were missing, before all that refers to them. */
  private async writeNew(tx: Transaction, runs: readonly RunOverwrite[], refusals: Refusals): Promise<void> {
    const written = await insertReportedRuns(tx, runs);
    const lost = runs.map(({ run }) => run as HeldRun).filter(({ id }) => !written.has(id));
    if (lost.length === 0) return;
    const appeared = await holdRuns(
      tx,
      lost.map(({ id }) => id),
      new Set(),
    );
    if (appeared.length > 0) throw new RunAppeared();
    throw new RunsRefused(await this.registration.whyNot(tx, lost, refusals));
  }

  /** What each run's part writes; where a tree has come loose, by all that is in it. */
  private async writesOf(
    tx: Transaction,
    actor: Actor,
    folding: Folding,
    overrides: PriceOverrides,
  ): Promise<Map<RunWork, RunWrites>> {
    const parts = [...folding.works.values()].map((work) => ({ work, steps: writtenSteps(work, overrides) }));
    const loose = parts.filter(({ work, steps }) => hasComeLoose(work, steps));
    const trees = await findWholeTrees(
      tx,
      loose.map(({ work }) => work.run.id),
    );
    for (const step of trees) folding.works.get(step.run_id)?.knowOf(step);
    return new Map(parts.map(({ work, steps }) => [work, writesOf(work, steps, actor.keyId)]));
  }
}

/** What a run waited for is over when it is reported to have gone on or ended; its events come before the others. */
async function callOffApprovals(
  tx: Transaction,
  works: readonly RunWork[],
  actor: string | null,
): Promise<void> {
  for (const { run, movedFrom } of works)
    if (movedFrom === 'waiting_human') run.last_event_seq += await callOff(tx, run.id, actor);
}

const NOTHING_REVISED = { partly: new Set<string>(), reopened: new Set<string>() };

/** The runs whose end may come to be another one: what it closed stands otherwise then. */
function mayEndAnew({ held }: Runs, { amends }: Batch, { items, reopened }: Revision): HeldRun[] {
  const ends = items.filter(({ type }) => type === 'run.finished');
  const ending = new Set(ends.map(({ run_id }) => run_id));
  return [...held.values()].filter(
    (run) =>
      hasPresumedEnd(run) || (amends && run.ended_by_trace && (ending.has(run.id) || reopened.has(run.id))),
  );
}

const NOTHING_KNOWN: Known = { steps: [], ancestors: [], calls: [], messages: [], checkpoints: [] };

/** Whether something is stored below one of these runs. */
function isBelow(stored: Known, runs: ReadonlyMap<string, unknown>): boolean {
  return Object.values(stored).some((rows) => rows.some(({ run_id }) => runs.has(run_id ?? '')));
}

const sizeOf = ({ taken, refusals: { runs, announcements } }: KnownAfterTrying): number =>
  taken.size + runs.size + announcements.size;

/** What attempts have taught that failed. */
interface KnownAfterTrying {
  taken: ReadonlySet<string>;
  refusals: Refusals;
}
