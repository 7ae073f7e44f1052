import type { RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import type { Item } from '../reported-items.js';
import { errorOf } from './error-text.js';
import { textOf, within } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { present } from '../records/present.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { isInternal, kindOf, nodeOf } from './run-kinds.js';
import { metadataOfRun } from './run-items.js';
import type { LangsmithRun } from './run-state.js';
import { isStep, type LangsmithTrace, stepAbove } from './trace-state.js';
import { messageIn, modelOf, usageOf } from './usage.js';

/** A run below the root: a step, or a tool call. Nothing yet for one that does not say which of them it is. */
export function itemsBelow(run: LangsmithRun, trace: LangsmithTrace): Item[] {
  const { startedAt, endedAt } = run;
  if (startedAt === undefined) return [];
  const make = isStep(run, trace)
    ? STEP
    : run.id !== trace.runId && run.runType === 'tool'
      ? TOOL_CALL
      : undefined;
  if (make === undefined) return [];
  const items = [make.started(run, startedAt, trace)];
  if (endedAt !== undefined) items.push(make.finished(run, endedAt, trace));
  const guess = trace.root?.name === undefined ? { agent: trace.agent } : {};
  return items.map((item) => ({ ...item, ...guess }));
}

type Make = (run: LangsmithRun, at: string, trace: LangsmithTrace) => Item;

const STEP: { started: Make; finished: Make } = {
  started: (run, at, trace) => {
    const node = nodeOf(run);
    return {
      type: 'step.started',
      run_id: trace.runId,
      id: run.id,
      at,
      node: fitting(node, LONGEST_NAME),
      kind: kindOf(run),
      external_id: `langsmith:${run.id}`,
      ...present('parent_step_id', stepAbove(run, trace)),
      ...present('input', run.members.get('inputs')),
      ...(isModel(run) ? modelOf(run) : {}),
      ...present('metadata', metadataBelow(run, node, trace)),
    };
  },
  finished: (run, at, trace) => ({
    type: 'step.finished',
    run_id: trace.runId,
    id: run.id,
    at,
    ...outcomeOf(run),
    ...present('output', run.members.get('outputs')),
    ...(run.runType === 'llm' ? usageOf(run) : {}),
  }),
};

const TOOL_CALL: { started: Make; finished: Make } = {
  started: (run, at, trace) => ({
    type: 'tool_call.started',
    run_id: trace.runId,
    id: toolCallId(run, trace),
    at,
    name: fitting(run.name ?? 'tool', LONGEST_NAME),
    ...present('step_id', stepAbove(run, trace)),
    ...present('arguments', run.members.get('inputs')),
    ...present('provider_call_id', providerCallId(run)),
    ...present('metadata', metadataBelow(run, run.name, trace)),
  }),
  finished: (run, at, trace) => ({
    type: 'tool_call.completed',
    run_id: trace.runId,
    id: toolCallId(run, trace),
    at,
    ...outcomeOf(run),
    ...present('result', run.members.get('outputs')),
  }),
};

function toolCallId({ id }: LangsmithRun, { runId }: LangsmithTrace): string {
  return derivedId('tool_call', runId, id);
}

/** By the message that the tool answered with; of one that failed, by what Python's reporter says of the call. */
function providerCallId(run: LangsmithRun): string | undefined {
  const answer = within(messageIn(run.members.get('outputs')), 'tool_call_id');
  const id = textOf(answer) ?? textOf(run.extra.get('tool_call_id'));
  return id === undefined || id.length > LONGEST_NAME ? undefined : id;
}

function outcomeOf(run: LangsmithRun): { status: 'succeeded' } | { status: 'failed'; error: string } {
  const error = errorOf(run.members.get('error'))?.said;
  return error === undefined ? { status: 'succeeded' } : { status: 'failed', ...error };
}

function metadataBelow(
  run: LangsmithRun,
  named: string | undefined,
  trace: LangsmithTrace,
): RawJson | undefined {
  const more: [string, RawJson | undefined][] = [
    ['internal', isInternal(run) ? written(true) : undefined],
    ['tags', run.tags.length > 0 ? written(run.tags) : undefined],
    [
      'run_type',
      kindOf(run) === run.runType || run.runType === 'tool' ? undefined : written(run.runType ?? null),
    ],
  ];
  return metadataOfRun(run, named, more, trace);
}

function isModel({ runType }: LangsmithRun): boolean {
  return runType === 'llm' || runType === 'embedding';
}
