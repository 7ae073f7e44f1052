import type { IngestItem } from '@agentflow/contracts';
import type { Actor, Transaction } from '@agentflow/database';
import { encodeJson, RawJson } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import type { Revision } from '../ingest/amends.js';
import { IngestService } from '../ingest/ingest.service.js';
import type { Verdict } from '../ingest/verdict.js';
import { findReports, keepReports, markReportsMapped, type ReceivedReport } from './sql/received-reports.js';

type Item = IngestItem<RawJson>;

/** What the records of one run come to. */
export interface MappedReport {
  items: readonly Item[];
}

/** How another reporter's reports become items. */
export interface ReportDialect {
  readonly name: string;
  /** Rises with each change of the mapping. */
  readonly version: number;
  /** Maps all that is known of one run, in the order in which it came. */
  map(bodies: readonly Uint8Array[]): MappedReport;
}

/** What one request says of one run. */
export interface RunReport {
  runId: string;
  /** What the reporter calls the project. */
  projectName?: string | undefined;
  /** What this request alone comes to. */
  items: readonly Item[];
  /** The records themselves, to be kept and mapped again. */
  body: Uint8Array;
  /** Something of it is about the run itself. */
  speaksOfRun: boolean;
  /** What it is about, by the reporter's own ids, and what that hangs below. */
  about: readonly string[];
  below: readonly string[];
}

/** What became of an item. */
export interface Outcome {
  item: Item;
  verdict: Verdict;
}

/**
 * Takes what other reporters send. What they say of one run comes in pieces, in any order; so whatever was said of it
 * before is mapped again with what is new, while the run is held, and only what differs is written. The records are kept
 * as they came, in the same transaction.
 */
@Injectable()
export class ReceivedReports {
  constructor(private readonly ingest: IngestService) {}

  /** Takes one request; what is acknowledged is committed. Runs of different projects are different batches. */
  async take(actor: Actor, dialect: ReportDialect, reports: readonly RunReport[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const [projectName, ofProject] of groupedBy(reports, (report) => report.projectName)) {
      outcomes.push(...(await this.takeOf(actor, dialect, ofProject, projectName)));
    }
    return outcomes;
  }

  /** Applies the present mapping to all that is known of a run. */
  async mapAgain(actor: Actor, dialect: ReportDialect, runId: string): Promise<void> {
    await this.ingest.ingest(actor, {
      items: [],
      runIds: [runId],
      amends: true,
      revise: async (tx) => {
        const known = await findReports(tx, dialect.name, [{ run_id: runId, ids: [] }]);
        await markReportsMapped(tx, runId, dialect.name, dialect.version);
        const items = known.length === 0 ? [] : dialect.map(known.map(({ body }) => body)).items;
        const partly = new Set(known.every(({ is_all }) => is_all) ? [] : [runId]);
        return { items, partly, reopened: new Set() };
      },
    });
  }

  private async takeOf(
    actor: Actor,
    dialect: ReportDialect,
    reports: readonly RunReport[],
    projectName: string | undefined,
  ): Promise<Outcome[]> {
    const items = reports.flatMap((report) => report.items);
    let revised: readonly Item[] = items;
    const verdicts = await this.ingest.ingest(actor, {
      items,
      runIds: reports.map(({ runId }) => runId),
      amends: true,
      projectName,
      revise: async (tx, present) => {
        const revision = await this.revised(tx, dialect, reports, present);
        revised = revision.items;
        return revision;
      },
      alongside: (tx, runIds) =>
        keepReports(
          tx,
          reports.filter(({ runId }) => runIds.has(runId)).map((report) => rowOf(dialect, report)),
        ),
    });
    return revised.map((item, i) => ({ item, verdict: verdicts[i] as Verdict }));
  }

  private async revised(
    tx: Transaction,
    dialect: ReportDialect,
    reports: readonly RunReport[],
    present: readonly string[],
  ): Promise<Revision> {
    const isPresent = new Set(present);
    const wanted = reports.flatMap(({ runId, about, below }) =>
      isPresent.has(runId) ? [{ run_id: runId, ids: [...about, ...below] }] : [],
    );
    const known = groupedBy(await findReports(tx, dialect.name, wanted), ({ run_id }) => run_id);
    const items: Item[] = [];
    const [partly, reopened] = [new Set<string>(), new Set<string>()];
    for (const report of reports) {
      const before = known.get(report.runId) ?? [];
      if (!before.every(({ is_all }) => is_all)) partly.add(report.runId);
      const bodies = before.map(({ body }) => body);
      const reportId = idOf(report.body);
      const isKnown = before.some(({ id }) => id === reportId);
      if (before.length === 0) items.push(...report.items);
      // What is sent again has its verdicts all the same: nothing of it is news.
      else if (isKnown) items.push(...dialect.map(bodies).items);
      else {
        const [was, is] = [dialect.map(bodies).items, dialect.map([...bodies, report.body]).items];
        items.push(...different(is, was));
        if (was.some(isEnd) && !is.some(isEnd) && !partly.has(report.runId)) reopened.add(report.runId);
      }
    }
    return { items, partly, reopened };
  }
}

function isEnd({ type }: Item): boolean {
  return type === 'run.finished';
}

function rowOf(dialect: ReportDialect, { runId, body, speaksOfRun, about }: RunReport): ReceivedReport {
  return {
    ...{ run_id: runId, id: idOf(body), dialect: dialect.name, mapping_version: dialect.version, body },
    ...{ speaks_of_run: speaksOfRun, about: RawJson.trusted(encodeJson(about)) },
  };
}

function groupedBy<T, Name>(all: readonly T[], nameOf: (one: T) => Name): Map<Name, T[]> {
  const groups = new Map<Name, T[]>();
  for (const one of all) {
    const group = groups.get(nameOf(one));
    if (group) group.push(one);
    else groups.set(nameOf(one), [one]);
  }
  return groups;
}

/** The items that are new, or other than before; whose run it is said to be until it is announced does not count. */
function different(items: readonly Item[], before: readonly Item[]): Item[] {
  const known = new Set(before.map(textOf));
  return items.filter((item) => !known.has(textOf(item)));
}

function textOf(item: Item): string {
  return encodeJson(item.type === 'run.started' ? item : { ...item, agent: undefined });
}

/** An id made of the content. */
function idOf(body: Uint8Array): string {
  const hex = createHash('sha256').update(body).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
