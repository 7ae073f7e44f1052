import type { IngestItem, ToolCallCompleted, ToolCallStarted } from '@agentflow/contracts';
import type { Transaction } from '@agentflow/database';
import type { RawJson } from '@agentflow/domain';
import {
  findAncestors,
  findClosedCalls,
  findClosedSteps,
  findOpenCalls,
  findOpenSteps,
  findReportedCalls,
  findReportedCheckpoints,
  findReportedMessages,
  findReportedSteps,
  type NamedInRun,
} from './sql/find-known.js';
import type { KnownOfRun } from './run-work.js';
import type { HeldRun } from './sql/hold-runs.js';

type Item = IngestItem<RawJson>;

/** What a batch names, by kind, each once. */
interface Named {
  steps: Map<string, NamedInRun>;
  /** Steps that are only referred to. */
  references: Map<string, NamedInRun>;
  calls: Set<string>;
  messages: Map<string, NamedInRun>;
  checkpoints: Map<string, NamedInRun>;
  ending: Set<string>;
}

/**
 * What is stored of everything that a batch names, in one round trip; the runs are held by a statement before it. Below runs
 * that `begin` with the batch there is nothing; only an id of a call may stand for one elsewhere.
 */
export function lookUp(
  tx: Transaction,
  items: readonly Item[],
  begin: ReadonlyMap<string, unknown> = NONE,
): Promise<Known> {
  const named = namesIn(items, begin);
  const ending = [...named.ending];
  return tx
    .together(
      findReportedSteps(tx, [...named.steps.values()]),
      findAncestors(tx, [...named.references.values()]),
      findReportedCalls(tx, [...named.calls]),
      findReportedMessages(tx, [...named.messages.values()]),
      findReportedCheckpoints(tx, [...named.checkpoints.values()]),
      findOpenSteps(tx, ending),
      findOpenCalls(tx, ending),
    )
    .then(([steps, ancestors, calls, messages, checkpoints, openSteps, openCalls]) => ({
      steps: [...steps, ...openSteps],
      ancestors,
      calls: [...calls, ...openCalls],
      messages,
      checkpoints,
    }));
}

export type Known = { [Kind in keyof KnownOfRun]: KnownOfRun[Kind][number][] };

/** The steps and calls that were closed with these runs, whose end is not certain. */
export async function lookUpClosed(tx: Transaction, known: Known, runs: readonly HeldRun[]): Promise<void> {
  const ids = runs.map(({ id }) => id);
  const [steps, calls] = await tx.together(findClosedSteps(tx, ids), findClosedCalls(tx, ids));
  known.steps.push(...steps);
  known.calls.push(...calls);
}

/** The parents of stored steps, where nobody has looked for them yet, with all that lies above them. */
export async function lookUpParents(tx: Transaction, known: Known): Promise<void> {
  const keyOf = (runId: string, id: string): string => `${runId} ${id}`;
  const found = new Set([...known.steps, ...known.ancestors].map(({ run_id, id }) => keyOf(run_id, id)));
  const parents = new Map<string, NamedInRun>();
  for (const { run_id, parent_step_id } of known.steps) {
    if (parent_step_id === null || found.has(keyOf(run_id, parent_step_id))) continue;
    parents.set(keyOf(run_id, parent_step_id), { run_id, id: parent_step_id });
  }
  known.ancestors.push(...(await findAncestors(tx, [...parents.values()])));
}

function byRun<Row extends { run_id: string | null }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.run_id ?? '');
    if (group) group.push(row);
    else groups.set(row.run_id ?? '', [row]);
  }
  return groups;
}

/** What is known, run by run. A call of another run is known to nobody here. */
export function knownByRun(known: Known): (runId: string) => KnownOfRun {
  const steps = byRun(known.steps);
  const ancestors = byRun(known.ancestors);
  const calls = byRun(known.calls);
  const messages = byRun(known.messages);
  const checkpoints = byRun(known.checkpoints);
  return (runId) => ({
    steps: steps.get(runId) ?? [],
    ancestors: ancestors.get(runId) ?? [],
    calls: calls.get(runId) ?? [],
    messages: messages.get(runId) ?? [],
    checkpoints: checkpoints.get(runId) ?? [],
  });
}

const NONE: ReadonlyMap<string, unknown> = new Map();

function namesIn(items: readonly Item[], begin: ReadonlyMap<string, unknown>): Named {
  const named: Named = {
    steps: new Map(),
    references: new Map(),
    calls: new Set(),
    messages: new Map(),
    checkpoints: new Map(),
    ending: new Set(),
  };
  const started = new Set<string>();
  for (const item of items) if (item.type === 'step.started') started.add(`${item.run_id} ${item.id}`);
  const refer = (run_id: string, id: string | undefined): void => {
    const key = `${run_id} ${id}`;
    if (id !== undefined && !started.has(key)) named.references.set(key, { run_id, id });
  };
  for (const item of items) {
    if (!begin.has(item.run_id)) collect(item, named, refer);
    else if (isOfCall(item)) named.calls.add(item.id);
  }
  return named;
}

export function isOfCall(item: Item): item is ToolCallStarted<RawJson> | ToolCallCompleted<RawJson> {
  return item.type === 'tool_call.started' || item.type === 'tool_call.completed';
}

function collect(item: Item, named: Named, refer: (runId: string, id: string | undefined) => void): void {
  const { run_id } = item;
  const add = (to: Map<string, NamedInRun>, id: string): unknown => to.set(`${run_id} ${id}`, { run_id, id });
  switch (item.type) {
    case 'run.started':
    case 'run.moved':
      return;
    case 'run.finished':
      named.ending.add(run_id);
      return;
    case 'step.started':
      refer(run_id, item.parent_step_id);
      add(named.steps, item.id);
      return;
    case 'step.updated':
    case 'step.finished':
      add(named.steps, item.id);
      return;
    case 'message':
      refer(run_id, item.step_id);
      add(named.messages, item.id);
      return;
    case 'checkpoint':
      refer(run_id, item.step_id);
      add(named.checkpoints, item.id);
      return;
    case 'tool_call.started':
      refer(run_id, item.step_id);
      named.calls.add(item.id);
      return;
    case 'tool_call.completed':
      named.calls.add(item.id);
  }
}
