import type { RunStarted } from '@agentflow/contracts';
import { DomainError, type RawJson } from '@agentflow/domain';
import { Ancestry } from './ancestry.js';

/** A run and what it is below of. */
export interface RunLine {
  id: string;
  parent_run_id: string | null;
}

type Announcement = Pick<RunStarted<RawJson>, 'run_id' | 'external_id' | 'parent_run_id'>;

/** What the announcements of one batch may not contradict: an external id stands for one run, and no run is its own ancestor. */
export class Announcements {
  private readonly holders = new Map<string, string>();
  private readonly ancestry: Ancestry;

  /** The runs that are named as parents, with all that lies above them. */
  constructor(lines: readonly RunLine[]) {
    this.ancestry = new Ancestry(lines.map(({ id, parent_run_id }) => [id, parent_run_id]));
  }

  /** Throws why an announcement cannot stand beside those that do. */
  check({ run_id, external_id, parent_run_id }: Announcement): void {
    const holder = this.holders.get(external_id ?? '');
    if (holder !== undefined && holder !== run_id) throw new DomainError('external_id_conflict');
    if (parent_run_id !== undefined && this.ancestry.isAbove(run_id, parent_run_id)) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: '/parent_run_id', detail: 'a run is not its own ancestor' }],
      });
    }
  }

  /** Takes note of one that stands. */
  add({ run_id, external_id, parent_run_id }: Announcement): void {
    if (external_id !== undefined) this.holders.set(external_id, run_id);
    this.ancestry.hang(run_id, parent_run_id ?? null);
  }
}
