import type { IngestItem, RunStarted } from '@agentflow/contracts';
import { DomainError, notFound, type RawJson } from '@agentflow/domain';
import type { AgentRow } from '../agents/agent-row.js';
import type { Revision } from './amends.js';
import { isOfCall, knownByRun, type Known } from './batch-lookup.js';
import type { Manner, Registration } from './run-registration.js';
import { RunWork } from './run-work.js';
import type { HeldRun } from './sql/hold-runs.js';
import { rejected, type Verdict } from './verdict.js';

type Item = IngestItem<RawJson>;
type Announcement = RunStarted<RawJson>;

/** The runs of a batch: those that are held or begin with it, and what is stored of everything that it names. */
export interface Runs extends Registration {
  held: Map<string, HeldRun>;
  stored: Known;
}

/** A batch while it is folded in, run by run. */
export class Folding {
  readonly works = new Map<string, RunWork>();
  private readonly announced = new Set<string>();
  /** Whose an id of a call is: it stands for one call in the whole organization. */
  private readonly callOwners: Map<string, string | null>;

  constructor(
    private readonly runs: Runs,
    stored: Known,
    private readonly takenCalls: ReadonlySet<string>,
    { amends }: Manner,
    { partly, reopened }: Pick<Revision, 'partly' | 'reopened'>,
  ) {
    const of = knownByRun(stored);
    this.callOwners = new Map(stored.calls.map(({ id, run_id }) => [id, run_id]));
    for (const [id, run] of runs.held) {
      const how = amends && partly.has(id) ? 'partly' : amends;
      this.works.set(id, new RunWork(run, runs.made.has(id), of(id), how, reopened.has(id)));
    }
  }

  /** Folds one item in that is no announcement; what is refused leaves everything as it was. */
  take(item: Item): Verdict {
    try {
      const verdict = this.workFor(item).take(item);
      if (isOfCall(item)) this.callOwners.set(item.id, item.run_id);
      return { verdict };
    } catch (error) {
      return rejectedBy(error);
    }
  }

  /** The same for the announcement of a run. */
  async announce(item: Announcement, agentOf: () => Promise<AgentRow | undefined>): Promise<Verdict> {
    try {
      const work = this.workFor(item);
      if (this.runs.made.get(item.run_id)?.isAnnounced && !this.announced.has(item.run_id)) {
        this.announced.add(item.run_id);
        return { verdict: 'created' };
      }
      this.runs.announcements.check(item);
      const verdict = work.take(item, await agentOf());
      this.runs.announcements.add(item);
      return { verdict };
    } catch (error) {
      return rejectedBy(error);
    }
  }

  private workFor(item: Item): RunWork {
    const refusal = this.runs.refused.get(item.run_id);
    if (refusal) throw refusal;
    if (item.type === 'run.started') {
      const refused = this.runs.refusedAnnouncements.get(item.run_id);
      if (refused) throw refused;
      // A parent that is elsewhere, or was deleted, is none.
      if (this.runs.refused.has(item.parent_run_id ?? '')) throw notFound();
    }
    if (isOfCall(item)) {
      const owner = this.callOwners.get(item.id);
      const isElsewhere = owner !== undefined && owner !== item.run_id;
      if (isElsewhere || this.takenCalls.has(item.id)) throw new DomainError('id_conflict');
    }
    return this.works.get(item.run_id) as RunWork;
  }
}

/** The verdict of what was thrown, where that is about the item. */
function rejectedBy(error: unknown): Verdict {
  if (error instanceof DomainError) return rejected(error);
  throw error;
}
