import type { RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import type { Item } from '../reported-items.js';
import { conversationOf, type PlacedMessage } from './conversation.js';
import { errorOf } from './error-text.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { metadataOf } from '../records/metadata.js';
import { present } from '../records/present.js';
import { listOf, objectOf, written } from '../records/json-writing.js';
import { type LangsmithRun, metadataText } from './run-state.js';
import type { LangsmithTrace } from './trace-state.js';

const SESSION = ['session_id', 'thread_id', 'conversation_id'];
const MOST_TAGS = 64;
const LONGEST_TAG = 128;

/** The root: how the run began and ended, and what was said in it. */
export function runItems(trace: LangsmithTrace): Item[] {
  const { root, runId, agent } = trace;
  const at = root?.startedAt;
  if (root === undefined || at === undefined) return [];
  const isAnnounced = root.name !== undefined;
  const guess = isAnnounced ? {} : { agent };
  const items: Item[] = isAnnounced ? [started(root, at, trace)] : [];
  for (const message of messagesOf(root)) items.push({ ...messageItem(message, root, at, runId), ...guess });
  if (root.endedAt !== undefined) items.push({ ...finished(root, root.endedAt, runId), ...guess });
  return items;
}

function started(root: LangsmithRun, at: string, trace: LangsmithTrace): Item {
  const session = metadataText(root, SESSION);
  const { agent, runId } = trace;
  const tags = root.tags.filter((tag) => tag.length <= LONGEST_TAG).slice(0, MOST_TAGS);
  return {
    type: 'run.started',
    run_id: runId,
    at,
    agent,
    adapter: agent.adapter,
    name: fitting(root.name ?? agent.name, LONGEST_NAME),
    external_id: `langsmith:${root.id}`,
    ...present('input', root.members.get('inputs')),
    ...present('metadata', runMetadata(root, tags, trace)),
    ...(tags.length > 0 ? { tags } : {}),
    ...(session === undefined || session.length > LONGEST_NAME ? {} : { session_id: session }),
  };
}

function runMetadata(
  root: LangsmithRun,
  tags: readonly string[],
  trace: LangsmithTrace,
): RawJson | undefined {
  const { feedback, project } = trace;
  const more: [string, RawJson | undefined][] = [
    ['session_name', project === undefined ? undefined : written(project)],
    ['tags', tags.length < root.tags.length ? written(root.tags) : undefined],
    ['feedback', feedback.length > 0 ? listOf(feedback) : undefined],
  ];
  return metadataOfRun(root, root.name, more, trace);
}

/** What any of their runs keeps beside its own columns: `named` is what the item is called. */
export function metadataOfRun(
  run: LangsmithRun,
  named: string | undefined,
  more: readonly (readonly [string, RawJson | undefined])[],
  { refused }: LangsmithTrace,
): RawJson | undefined {
  const stack = errorOf(run.members.get('error'))?.stack;
  const ours: [string, RawJson | undefined][] = [
    ...more.map(([name, json]): [string, RawJson | undefined] => [name, json]),
    ['name', named !== undefined && named.length > LONGEST_NAME ? written(named) : undefined],
    ['stack', stack === undefined ? undefined : written(stack)],
    ['serialized', run.members.get('serialized')],
    ['attachments', run.attachments.length > 0 ? written(run.attachments) : undefined],
    ...[...run.extra].filter(([name]) => name !== 'metadata'),
  ];
  return metadataOf(ours, run.metadata, (name, detail) => refused.push({ id: `${run.id}.${name}`, detail }));
}

function finished(root: LangsmithRun, at: string, runId: string): Item {
  const error = errorOf(root.members.get('error'))?.said;
  return {
    type: 'run.finished',
    run_id: runId,
    at,
    status: error === undefined ? 'succeeded' : 'failed',
    ...present('output', root.members.get('outputs')),
    ...error,
  };
}

/** Without a post it is not known what went in. */
function messagesOf(root: LangsmithRun): PlacedMessage[] {
  const inputs = root.members.get('inputs') ?? (root.isPosted ? null : undefined);
  return conversationOf(inputs, root.members.get('outputs'));
}

function messageItem(message: PlacedMessage, root: LangsmithRun, startedAt: string, runId: string): Item {
  const { role, content, name, toolCallId, toolCalls, parts } = message;
  const extra: [string, RawJson][] = [];
  if (toolCalls !== undefined) extra.push(['tool_calls', toolCalls]);
  if (parts.length > 0) extra.push(['parts', listOf(parts)]);
  return {
    type: 'message',
    run_id: runId,
    id: derivedId('message', runId, message.prefix),
    at: message.isInput ? startedAt : (root.endedAt ?? startedAt),
    role,
    content,
    ...present('name', name && fitting(name, LONGEST_NAME)),
    ...present('tool_call_id', toolCallId && fitting(toolCallId, LONGEST_NAME)),
    ...present('extra', extra.length > 0 ? objectOf(extra) : undefined),
  };
}
