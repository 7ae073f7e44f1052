import type { MessageRole } from '@agentflow/contracts';
import { jsonMembers, RawJson } from '@agentflow/domain';
import { elementsOf, given, type Members, stringOf, textOf, within } from '../records/json-reading.js';

/** A message in any of the forms that LangChain writes, read. */
export interface SaidMessage {
  /** What the framework calls the message; not every form has it. */
  id: string | undefined;
  role: MessageRole;
  content: string | null;
  name: string | undefined;
  toolCallId: string | undefined;
  toolCalls: RawJson | undefined;
  /** Parts of the content that are no text. */
  parts: readonly RawJson[];
}

const ROLES: Readonly<Record<string, MessageRole>> = {
  ai: 'assistant',
  assistant: 'assistant',
  developer: 'developer',
  function: 'tool',
  human: 'user',
  system: 'system',
  tool: 'tool',
  user: 'user',
};

/**
 * Reads `{ lc, type: 'constructor', id: [.., 'HumanMessage'], kwargs }`, `{ type: 'human', content }`, the same with
 * `data`, `{ role, content }`, `['human', content]` and a plain string. Undefined for what is none of them.
 */
export function messageOf(json: RawJson): SaidMessage | undefined {
  if (json.text.startsWith('"')) return said('user', json, new Map());
  const pair = elementsOf(json);
  if (pair !== undefined)
    return pair.length === 2 && pair[1] ? said(stringOf(pair[0]), pair[1], new Map()) : undefined;
  const members = jsonMembers(json) ?? new Map<string, RawJson>();
  const inner = within(json, 'kwargs') ?? within(json, 'data');
  const own: Members = (inner && jsonMembers(inner)) ?? members;
  const role = isConstructor(members)
    ? (textOf(own.get('role')) ?? textOf(elementsOf(members.get('id') as RawJson)?.at(-1)))
    : (textOf(own.get('role')) ?? textOf(members.get('type')));
  return said(role, own.get('content'), own);
}

function isConstructor(members: Members): boolean {
  return textOf(members.get('type')) === 'constructor' && members.has('id');
}

function said(
  spoken: string | undefined,
  content: RawJson | undefined,
  own: Members,
): SaidMessage | undefined {
  const role = roleOf(spoken);
  if (role === undefined) return undefined;
  const parts = content && elementsOf(content);
  return {
    id: textOf(own.get('id')),
    role,
    content: parts === undefined ? (stringOf(content) ?? null) : textIn(parts),
    name: textOf(own.get('name')),
    toolCallId: textOf(own.get('tool_call_id')),
    toolCalls: listIn(own.get('tool_calls')) ?? listIn(within(own.get('additional_kwargs'), 'tool_calls')),
    parts: parts === undefined ? otherContent(content) : parts.filter((part) => partText(part) === undefined),
  };
}

/** `HumanMessage`, `AIMessageChunk`, `human`: what stands before the words that say that it is a message. */
function roleOf(spoken = ''): MessageRole | undefined {
  const word = spoken
    .toLowerCase()
    .replace(/chunk$/, '')
    .replace(/message$/, '');
  return Object.hasOwn(ROLES, word) ? ROLES[word] : undefined;
}

function textIn(parts: readonly RawJson[]): string | null {
  const texts = parts.map(partText).filter((text) => text !== undefined);
  return texts.length === 0 ? null : texts.join('');
}

function partText(part: RawJson): string | undefined {
  if (part.text.startsWith('"')) return stringOf(part);
  return textOf(within(part, 'type')) === 'text' ? stringOf(within(part, 'text')) : undefined;
}

/** Content that is neither text nor a list is a part. */
function otherContent(content: RawJson | undefined): RawJson[] {
  const value = given(content);
  return value === undefined || stringOf(value) !== undefined ? [] : [value];
}

/** A list that holds something. */
function listIn(json: RawJson | undefined): RawJson | undefined {
  return json && (elementsOf(json)?.length ?? 0) > 0 ? json : undefined;
}
