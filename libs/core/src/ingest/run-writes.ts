import type { RunEventType, RunStatus } from '@agentflow/contracts';
import { isStepTerminal, isToolCallTerminal } from '@agentflow/domain';
import type { PriceOverrides } from '../pricing/price-overrides.js';
import { priceStep } from '../pricing/price-step.js';
import type { RunAddition } from '../reporting/sql/add-to-run.js';
import { nextEntry, type RunEvent } from '../reporting/sql/append-event.js';
import type { PendingEvent, RunWork } from './run-work.js';
import type { StepOverwrite } from './sql/write-steps.js';
import { coverAncestors, coverAnew, usageGained, type AncestorRow } from './step-tree.js';
import { writtenStep, type ReportedStep, type StepWork } from './step-work.js';
import { writtenCall, type ReportedCall } from './tool-call-work.js';

/** What one run's part of a batch writes. */
export interface RunWrites {
  newSteps: ReportedStep[];
  changedSteps: StepOverwrite[];
  coveredSteps: AncestorRow[];
  newCalls: ReportedCall[];
  changedCalls: ReportedCall[];
  additions: RunAddition[];
  events: RunEvent[];
}

/** Works out what has to be written once a batch is folded in, by its steps as they will stand; purely. */
export function writesOf(work: RunWork, written: WrittenSteps, actor: string | null): RunWrites {
  const tree = stepWrites(work, written);
  const calls = callWrites(work);
  work.events.push(...tree.events, ...calls.events, ...childEvents(work), ...moveEvents(work));
  const events = work.events.map(({ type, entity_id, data }, i) =>
    nextEntry(work.run, { type, entity_id, data, actor }, 1 + i),
  );
  return { ...tree, ...calls, events, additions: [...tree.additions, ...calls.additions, work.growth] };
}

type StepWrites = Pick<RunWrites, 'newSteps' | 'changedSteps' | 'coveredSteps' | 'additions'> & {
  events: PendingEvent[];
};

/** The steps that a batch names, as they will stand, by id. */
export type WrittenSteps = ReadonlyMap<string, ReportedStep>;

const isTouched = (work: RunWork, step: StepWork): boolean => step.isChanged || work.movesChildren;

export function writtenSteps(work: RunWork, overrides: PriceOverrides): WrittenSteps {
  const rows = [...work.steps].map(([id, step]): [string, ReportedStep] => {
    const { stored } = step;
    const isKept = stored !== undefined && !isTouched(work, step);
    return [id, isKept ? { ...stored } : priced(writtenStep(step, work.run), overrides)];
  });
  return new Map(rows);
}

/** Whether what lies above a step may be covered no more: it hangs elsewhere now, or is said to have cost nothing. */
export function hasComeLoose(work: RunWork, written: WrittenSteps): boolean {
  for (const [id, { stored }] of work.steps) {
    const row = written.get(id) as ReportedStep;
    if (!stored) continue;
    if (stored.cost_usd !== null && row.cost_usd === null) return true;
    if (stored.parent_step_id !== null && stored.parent_step_id !== row.parent_step_id) return true;
  }
  return false;
}

function stepWrites(work: RunWork, written: WrittenSteps): StepWrites {
  const before = new Map<string, AncestorRow>(work.ancestors);
  for (const [id, { stored }] of work.steps) if (stored) before.set(id, stored);
  const ancestors = new Map([...work.ancestors].map(([id, row]) => [id, { ...row }]));
  const find = (id: string): AncestorRow | undefined => written.get(id) ?? ancestors.get(id);
  const moved = [...work.steps].flatMap(([id, step]) => {
    const row = written.get(id) as ReportedStep;
    const hasNewCost = row.cost_usd !== null && step.stored?.cost_usd === null;
    return step.isMoved || hasNewCost ? [row] : [];
  });
  const covered = hasComeLoose(work, written)
    ? coverAnew([...ancestors.values(), ...written.values()], find)
    : coverAncestors(moved, find);
  const writes: StepWrites = { newSteps: [], changedSteps: [], coveredSteps: [], additions: [], events: [] };
  for (const [id, step] of work.steps) {
    const row = written.get(id) as ReportedStep;
    if (!step.stored) writes.newSteps.push(row);
    else if (isTouched(work, step)) writes.changedSteps.push(overwriteOf(row, step.stored));
    else if (covered.has(id)) writes.coveredSteps.push(row);
    else continue;
    writes.additions.push(...usageGained(before.get(id), row));
    if (isTouched(work, step) && step.isReported)
      writes.events.push(stepEvent(row, step.stored === undefined));
  }
  for (const [id, row] of ancestors) {
    if (!covered.has(id) || written.has(id)) continue;
    writes.coveredSteps.push(row);
    writes.additions.push(...usageGained(before.get(id), row));
  }
  return writes;
}

function priced(row: ReportedStep, overrides: PriceOverrides): ReportedStep {
  return Object.assign(row, priceStep(row, overrides));
}

/** Only a payload that is another one than before is sent again. */
function overwriteOf(row: ReportedStep, stored: ReportedStep): StepOverwrite {
  const has_input = row.input !== stored.input;
  const has_output = row.output !== stored.output;
  return {
    ...row,
    has_input,
    has_output,
    input: has_input ? row.input : null,
    output: has_output ? row.output : null,
  };
}

function stepEvent(row: ReportedStep, isNew: boolean): PendingEvent {
  const opened: RunEventType = isNew ? 'step.started' : 'step.updated';
  const closed: RunEventType = row.status === 'failed' ? 'step.failed' : 'step.completed';
  const { index, node, status, parent_step_id } = row;
  return {
    type: isStepTerminal(status) ? closed : opened,
    entity_id: row.id,
    data: { index, node, status, parent_step_id },
  };
}

type CallWrites = Pick<RunWrites, 'newCalls' | 'changedCalls' | 'additions'> & { events: PendingEvent[] };

function callWrites(work: RunWork): CallWrites {
  const writes: CallWrites = { newCalls: [], changedCalls: [], additions: [], events: [] };
  for (const call of work.calls.values()) {
    if (!call.isChanged && !work.movesChildren) continue;
    const row = writtenCall(call, work.run);
    (call.stored ? writes.changedCalls : writes.newCalls).push(row);
    const failed = Number(row.status === 'failed') - Number(call.stored?.status === 'failed');
    writes.additions.push({ tool_calls: call.stored ? 0 : 1, failed_tool_calls: failed });
    const { id, name, status, step_id } = row;
    writes.events.push({
      type: isToolCallTerminal(status) ? 'tool_call.completed' : 'tool_call.started',
      entity_id: id,
      data: { call_id: id, name, status, step_id },
    });
  }
  return writes;
}

function childEvents(work: RunWork): PendingEvent[] {
  return [
    ...work.newMessages.map(({ id, index, role, step_id }) => ({
      type: 'message.created' as const,
      entity_id: id,
      data: { index, role, step_id },
    })),
    ...work.newCheckpoints.map(({ id, index, label }) => ({
      type: 'checkpoint.created' as const,
      entity_id: id,
      data: { index, label },
    })),
  ];
}

const MOVES: Partial<Record<RunStatus, RunEventType>> = {
  running: 'run.resumed',
  waiting_human: 'run.waiting_human',
  succeeded: 'run.succeeded',
  failed: 'run.failed',
  cancelled: 'run.cancelled',
};

/** Where the run went; its start is told by its announcement. */
function moveEvents({ run, movedFrom }: RunWork): PendingEvent[] {
  const type = movedFrom === 'pending' && run.status === 'running' ? 'run.started' : MOVES[run.status];
  if (movedFrom === undefined || type === undefined) return [];
  const { error, error_type, waiting_for, resume_input } = run;
  const said = { error: error ?? undefined, error_type: error_type ?? undefined };
  const data = run.ended_at === null ? (waiting_for ?? resume_input ?? {}) : said;
  return [{ type, entity_id: run.id, data }];
}
