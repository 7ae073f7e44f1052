import { jsonMembers, type RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import { fitting, LONGEST_ERROR, LONGEST_NAME } from '../records/fitting.js';
import { type Members, textOf } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { metadataOf } from '../records/metadata.js';
import { present } from '../records/present.js';
import type { Item } from '../reported-items.js';
import { kindOf } from './event-types.js';
import { type LangfuseTrace, type Observation, stepAbove } from './trace-state.js';
import { usageFacts } from './usage.js';

/** Members that are kept beside the columns. */
const KEPT = [
  'modelParameters',
  'level',
  'statusMessage',
  'version',
  'completionStartTime',
  'promptName',
  'promptVersion',
];

/** An observation: a tool call when it is a tool, a step otherwise. */
export function observationItems(observation: Observation, trace: LangfuseTrace): Item[] {
  const { endedAt, type } = observation;
  const isCall = type === 'tool';
  const items = [isCall ? callStarted(observation, trace) : stepStarted(observation, trace)];
  if (endedAt === undefined) return items;
  return [
    ...items,
    isCall ? callCompleted(observation, endedAt, trace) : stepFinished(observation, endedAt, trace),
  ];
}

function stepStarted(observation: Observation, trace: LangfuseTrace): Item {
  const { type, startedAt, members, id } = observation;
  const node = textOf(members.get('name')) ?? type;
  const above = stepAbove(observation, trace);
  const model = textOf(members.get('model'));
  return {
    type: 'step.started',
    run_id: trace.runId,
    id: derivedId(trace.traceId, id),
    at: startedAt,
    node: fitting(node, LONGEST_NAME),
    kind: kindOf(type),
    ...present('external_id', id.length > LONGEST_NAME ? undefined : id),
    ...present('parent_step_id', above && derivedId(trace.traceId, above.id)),
    ...present('input', members.get('input')),
    ...present('model', model && fitting(model, LONGEST_NAME)),
    ...present('metadata', metadataOfObservation(observation, node, trace)),
  };
}

function stepFinished({ id, type, members }: Observation, at: string, trace: LangfuseTrace): Item {
  return {
    type: 'step.finished',
    run_id: trace.runId,
    id: derivedId(trace.traceId, id),
    at,
    ...outcomeOf(members),
    ...present('output', members.get('output')),
    ...(type === 'generation' || type === 'embedding' ? usageFacts(members) : {}),
  };
}

function callStarted(observation: Observation, trace: LangfuseTrace): Item {
  const { startedAt, members, id } = observation;
  const name = textOf(members.get('name')) ?? 'tool';
  const above = stepAbove(observation, trace);
  return {
    type: 'tool_call.started',
    run_id: trace.runId,
    id: derivedId('tool_call', trace.traceId, id),
    at: startedAt,
    name: fitting(name, LONGEST_NAME),
    ...present('step_id', above && derivedId(trace.traceId, above.id)),
    ...present('arguments', members.get('input')),
    ...present('metadata', metadataOfObservation(observation, name, trace)),
  };
}

function callCompleted({ id, members }: Observation, at: string, trace: LangfuseTrace): Item {
  return {
    type: 'tool_call.completed',
    run_id: trace.runId,
    id: derivedId('tool_call', trace.traceId, id),
    at,
    ...outcomeOf(members),
    ...present('result', members.get('output')),
  };
}

/** How an observation ended: its level says whether it failed. */
export function outcomeOf(members: Members): { status: 'succeeded' } | { status: 'failed'; error: string } {
  if (textOf(members.get('level')) !== 'ERROR') return { status: 'succeeded' };
  return {
    status: 'failed',
    error: fitting(textOf(members.get('statusMessage')) ?? 'failed', LONGEST_ERROR),
  };
}

function metadataOfObservation(
  { id, members }: Observation,
  named: string,
  { refused }: LangfuseTrace,
): RawJson | undefined {
  const ours: [string, RawJson | undefined][] = [
    ['name', named.length > LONGEST_NAME ? written(named) : undefined],
    ...KEPT.map((name): [string, RawJson | undefined] => [name, members.get(name)]),
  ];
  return metadataOf(ours, reportedIn(members), (name, detail) =>
    refused.push({ id: `${id}.${name}`, detail }),
  );
}

/** Metadata is mostly an object; what is none stands under its own name. */
export function reportedIn(members: Members): Iterable<[string, RawJson]> {
  const json = members.get('metadata');
  if (json === undefined) return [];
  return jsonMembers(json) ?? [['metadata', json]];
}
