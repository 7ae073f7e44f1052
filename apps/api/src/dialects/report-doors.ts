import { ReceivedReports, type Limits, type Outcome, type RunReport } from '@agentflow/core';
import type { MappedRun, Refusal, Subject } from '@agentflow/dialects';
import { DomainError } from '@agentflow/domain';
import { Inject, Injectable } from '@nestjs/common';
import { Admission } from '../admission/admission.js';
import type { Caller } from '../access/caller.js';
import { LIMITS } from '../installation.js';
import type { SpokenDialect } from './report-dialects.js';

/** What was not taken over, and how many records had nothing to do with an agent. */
export interface Taken {
  notKept: Refusal[];
  dropped: number;
}

/** What all doors for other reporters do once a request is decoded. */
@Injectable()
export class ReportDoors {
  constructor(
    private readonly reports: ReceivedReports,
    private readonly admission: Admission,
    @Inject(LIMITS) private readonly limits: Limits,
  ) {}

  /**
   * Reads a request when its turn comes, maps its records run by run, and takes what they come to; what is acknowledged is
   * committed.
   */
  admit<R, Reading extends { records: readonly R[] }>(
    caller: Caller,
    dialect: SpokenDialect<R>,
    read: () => Promise<Reading>,
  ): Promise<Reading & Taken> {
    return this.admission.admit(caller, async (spend) => {
      const reading = await read();
      spend(reading.records.length);
      return { ...reading, ...(await this.take(caller, dialect, reading.records)) };
    });
  }

  private async take<R>(caller: Caller, dialect: SpokenDialect<R>, records: readonly R[]): Promise<Taken> {
    const { runIdOf, map, pack, subjectOf } = dialect.speech;
    const bounded = boundedBy(this.limits.batchItems * MOST_ITEMS_OF_RECORD);
    const runs = [...byRun(records, runIdOf).values()].map((ofRun) => ({
      count: ofRun.length,
      mapped: bounded(map(ofRun)),
      body: pack(ofRun),
      ...subjectsOf(ofRun.map(subjectOf)),
    }));
    const reports = runs
      .filter(isUsable)
      .map(({ mapped: { runId, projectName, items }, count: _, ...rest }) => ({
        ...{ runId, projectName, items },
        ...rest,
      }));
    const kept = new Map(runs.map(({ mapped, count }) => [mapped.runId, count - mapped.refused.length]));
    const outcomes = await this.reports.take(caller, dialect, reports);
    return {
      notKept: [...runs.flatMap(({ mapped }) => mapped.refused), ...rejectedIn(outcomes, kept)],
      dropped: runs.reduce((sum, { mapped }) => sum + (mapped.dropped ?? 0), 0),
    };
  }
}

/** Records that are all refused make no run. */
function isUsable({ count, mapped }: { count: number; mapped: MappedRun }): boolean {
  return mapped.refused.length < count;
}

/** A record comes to a few items, but messages of a conversation may stand in one by thousands. */
const MOST_ITEMS_OF_RECORD = 10;

/** Passes runs on until all together come to more items than that: then the request is refused, and no more is mapped. */
function boundedBy(mostItems: number): (run: MappedRun) => MappedRun {
  let items = 0;
  return (run) => {
    items += run.items.length;
    if (items <= mostItems) return run;
    throw new DomainError('request_too_large', { detail: `It comes to more than ${mostItems} items.` });
  };
}

/** The records of a request run by run, in the order in which each run is first named. */
function byRun<R>(records: readonly R[], runIdOf: (record: R) => string): Map<string, R[]> {
  const runs = new Map<string, R[]>();
  for (const record of records) {
    const id = runIdOf(record);
    const known = runs.get(id);
    if (known) known.push(record);
    else runs.set(id, [record]);
  }
  return runs;
}

/** What all records of a report speak of, each thing once. */
function subjectsOf(subjects: readonly Subject[]): Pick<RunReport, 'speaksOfRun' | 'about' | 'below'> {
  return {
    speaksOfRun: subjects.some(({ speaksOfRun }) => speaksOfRun),
    about: [...new Set(subjects.map(({ about }) => about))],
    below: [...new Set(subjects.flatMap(({ below }) => below ?? []))],
  };
}

/** What an item is about: a message is part of the step in which it was said. */
function thingOf(item: Outcome['item']): string {
  const whole = item.type === 'message' ? item.step_id : item.id;
  return whole ?? item.run_id;
}

/**
 * The things that rejected items are about, each once, and why the first was not kept. Of a run there are at most so many as
 * records that tell of it: what has no record of its own, as the run around a step, is told with them.
 */
function rejectedIn(outcomes: readonly Outcome[], mostOfRun: ReadonlyMap<string, number>): Refusal[] {
  const runs = new Map<string, Map<string, string>>();
  for (const { item, verdict } of outcomes) {
    if (verdict.verdict !== 'rejected') continue;
    const things = runs.get(item.run_id) ?? new Map<string, string>();
    runs.set(item.run_id, things);
    const id = thingOf(item);
    const where = verdict.pointer === undefined ? '' : `${verdict.pointer}: `;
    if (!things.has(id)) things.set(id, `${verdict.code}, ${where}${verdict.detail ?? 'it was refused'}`);
  }
  return [...runs].flatMap(([runId, things]) =>
    [...things].slice(0, mostOfRun.get(runId)).map(([id, detail]) => ({ id, detail })),
  );
}
