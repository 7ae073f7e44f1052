import { readPayload, type RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import { fitting, LONGEST_ERROR, LONGEST_NAME } from '../records/fitting.js';
import { given, stringOf, textOf, within } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { metadataOf } from '../records/metadata.js';
import { endAfter } from '../records/moments.js';
import { present } from '../records/present.js';
import type { Item } from '../reported-items.js';
import { ancestorsOf, type OpenaiSpan, type OpenaiTrace } from './trace-state.js';
import { usageFacts } from './usage.js';

/** What a step of each type of span is called, where the span has no name, and its kind. */
const KINDS: Readonly<Record<string, { kind: string; namedBy?: string }>> = {
  agent: { kind: 'agent' },
  custom: { kind: 'custom' },
  generation: { kind: 'llm', namedBy: 'model' },
  guardrail: { kind: 'guardrail' },
  handoff: { kind: 'handoff', namedBy: 'to_agent' },
  mcp_tools: { kind: 'mcp_tools', namedBy: 'server' },
  response: { kind: 'llm' },
  speech: { kind: 'speech', namedBy: 'model' },
  speech_group: { kind: 'speech_group' },
  task: { kind: 'chain' },
  transcription: { kind: 'transcription', namedBy: 'model' },
  turn: { kind: 'chain' },
};
const UNKNOWN = 'custom';

/** Members that have columns of their own. */
const PLACED = new Set(['type', 'name', 'input', 'output', 'result', 'model', 'usage']);

/** A span: a tool call when it is a function, a step otherwise. */
export function spanItems(span: OpenaiSpan, trace: OpenaiTrace, usage: RawJson | undefined): Item[] {
  const isCall = span.type === 'function';
  const items = [isCall ? callStarted(span, trace) : stepStarted(span, trace)];
  if (span.endedAt === undefined) return items;
  const at = endAfter(span.startedAt, span.endedAt);
  return [...items, isCall ? callCompleted(span, at, trace) : stepFinished(span, at, trace, usage)];
}

function stepStarted(span: OpenaiSpan, trace: OpenaiTrace): Item {
  const known = Object.hasOwn(KINDS, span.type) ? KINDS[span.type] : undefined;
  const namedBy = known?.namedBy;
  const node = textOf(span.data.get('name')) ?? (namedBy && textOf(span.data.get(namedBy))) ?? span.type;
  const model = textOf(span.data.get('model'));
  return {
    type: 'step.started',
    run_id: trace.runId,
    id: stepId(span, trace),
    at: span.startedAt,
    node: fitting(node, LONGEST_NAME),
    kind: known?.kind ?? UNKNOWN,
    ...present('external_id', span.id.length > LONGEST_NAME ? undefined : span.id),
    ...present('parent_step_id', stepAbove(span, trace)),
    ...present('input', given(span.data.get('input'))),
    ...present('model', model && fitting(model, LONGEST_NAME)),
    ...present('metadata', metadataOfSpan(span, node, trace)),
  };
}

function stepFinished(span: OpenaiSpan, at: string, trace: OpenaiTrace, usage: RawJson | undefined): Item {
  return {
    type: 'step.finished',
    run_id: trace.runId,
    id: stepId(span, trace),
    at,
    ...outcomeOf(span),
    ...present('output', given(span.data.get('output')) ?? given(span.data.get('result'))),
    ...usageFacts(usage),
  };
}

function callStarted(span: OpenaiSpan, trace: OpenaiTrace): Item {
  const name = textOf(span.data.get('name')) ?? span.type;
  return {
    type: 'tool_call.started',
    run_id: trace.runId,
    id: derivedId('tool_call', trace.traceId, span.id),
    at: span.startedAt,
    name: fitting(name, LONGEST_NAME),
    ...present('step_id', stepAbove(span, trace)),
    ...present('arguments', argumentsOf(span)),
    ...present('metadata', metadataOfSpan(span, name, trace)),
  };
}

function callCompleted(span: OpenaiSpan, at: string, trace: OpenaiTrace): Item {
  return {
    type: 'tool_call.completed',
    run_id: trace.runId,
    id: derivedId('tool_call', trace.traceId, span.id),
    at,
    ...outcomeOf(span),
    ...present('result', given(span.data.get('output'))),
  };
}

/** The arguments come as a text of JSON; what is none stays the text that it is. */
function argumentsOf({ data }: OpenaiSpan): RawJson | undefined {
  const input = given(data.get('input'));
  const reading = readPayload(stringOf(input) ?? '');
  return reading.ok ? reading.value : input;
}

function stepId(span: OpenaiSpan, { traceId }: OpenaiTrace): string {
  return derivedId(traceId, span.id);
}

function stepAbove(span: OpenaiSpan, trace: OpenaiTrace): string | undefined {
  for (const above of ancestorsOf(span, trace.byId)) {
    if (above.type !== 'function') return stepId(above, trace);
  }
  return undefined;
}

/** How a span ended, by whether it has an error. */
export function outcomeOf({
  members,
}: OpenaiSpan): { status: 'succeeded' } | { status: 'failed'; error: string } {
  const error = given(members.get('error'));
  if (error === undefined) return { status: 'succeeded' };
  const message = textOf(within(error, 'message')) ?? textOf(error) ?? 'failed';
  return { status: 'failed', error: fitting(message, LONGEST_ERROR) };
}

function metadataOfSpan(span: OpenaiSpan, named: string, { refused }: OpenaiTrace): RawJson | undefined {
  const message = textOf(within(span.members.get('error'), 'message')) ?? '';
  return metadataOf(
    [
      ['name', named.length > LONGEST_NAME ? written(named) : undefined],
      ['error', message.length > LONGEST_ERROR ? written(message) : undefined],
      ['error_data', within(span.members.get('error'), 'data')],
    ],
    [...span.data].filter(([name, json]) => !PLACED.has(name) && given(json) !== undefined),
    (name, detail) => refused.push({ id: `${span.id}.${name}`, detail }),
  );
}
