import type { RawJson } from '@agentflow/domain';
import type { Refusal } from '../reported-items.js';
import { agentOf, projectOf } from './run-kinds.js';
import type { LangsmithRecord } from './record.js';
import { type LangsmithRun, runsOf } from './run-state.js';
import { textOf } from '../records/json-reading.js';
import { objectOf } from '../records/json-writing.js';

/** All that is known of one trace. */
export interface LangsmithTrace {
  runId: string;
  root: LangsmithRun | undefined;
  /** The root first, then by their beginnings, parents before their children. */
  runs: readonly LangsmithRun[];
  byId: ReadonlyMap<string, LangsmithRun>;
  agent: { name: string; adapter: string };
  project: string | undefined;
  feedback: readonly RawJson[];
  refused: Refusal[];
}

export function traceOf(runId: string, records: readonly LangsmithRecord[]): LangsmithTrace {
  const byId = runsOf(records);
  const root = byId.get(runId);
  const runs = [...byId.values()].sort(
    (a, b) => Number(b.id === runId) - Number(a.id === runId) || inTime(a, b),
  );
  return {
    runId,
    root,
    runs,
    byId,
    agent: agentOf(root, runs),
    project: projectOf(root, runs),
    feedback: feedbackIn(records),
    refused: [],
  };
}

/** By beginning; `dotted_order` of a parent is the beginning of its child's. */
function inTime(a: LangsmithRun, b: LangsmithRun): number {
  return compare(keyOf(a), keyOf(b));
}

function keyOf({ startedAt = '', members, id }: LangsmithRun): string {
  return `${startedAt} ${textOf(members.get('dotted_order')) ?? ''} ${id}`;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Whether a run stands as a step: all but the root and the calls of tools; a model at the root is both run and step. */
export function isStep(run: LangsmithRun, { runId }: LangsmithTrace): boolean {
  return run.id === runId ? run.runType === 'llm' : run.runType !== undefined && run.runType !== 'tool';
}

/** The nearest ancestor that is known and a step; above one that is not known nothing is. */
export function stepAbove(run: LangsmithRun, trace: LangsmithTrace): string | undefined {
  const seen = new Set([run.id]);
  for (let above = run.parentId; above !== undefined && !seen.has(above);) {
    const parent = trace.byId.get(above);
    if (parent === undefined || parent.startedAt === undefined) return undefined;
    if (isStep(parent, trace)) return parent.id;
    seen.add(above);
    above = parent.parentId;
  }
  return undefined;
}

/** Feedback on any run of the trace, each piece once, by its id. */
function feedbackIn(records: readonly LangsmithRecord[]): RawJson[] {
  const pieces = records.filter(({ op }) => op === 'feedback');
  const byId = new Map(pieces.map(({ members, id }) => [textOf(members.get('id')) ?? id, members]));
  return [...byId].sort(([a], [b]) => compare(a, b)).map(([, members]) => objectOf(members));
}
