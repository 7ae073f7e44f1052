import { JsonView } from './json-view.js';
import { messagesInJson } from './messages-in-json.js';
import { payloadOf } from './payload-of.js';
import { addPart } from './parts-of-message.js';
import type { Attributes, AttributeValue } from './span.js';
import { type AskedCall, saysNothing, type Told, toldBy } from './told.js';

/** Where messages are told with one attribute for each word of theirs. */
export const INDEXED = {
  inputs: ['llm.input_messages.', 'gen_ai.prompt.'],
  outputs: ['llm.output_messages.', 'gen_ai.completion.'],
} as const;

/** The messages under a prefix, such as `llm.input_messages.0.message.role`, in the order of their numbers. */
export function indexedMessages(attributes: Attributes, prefix: string, otherwise: string): Told[] {
  const told = groupsOf(attributes, prefix, /^(?:message\.)?(.+)$/).flatMap((words) =>
    messagesOf(words, otherwise),
  );
  return withCallsTogether(told);
}

/**
 * What a model asks for in one answer is one message. The instrumentation of OpenAI Agents tells it so when it is asked,
 * and a message for each call when the next request repeats it.
 */
function withCallsTogether(messages: readonly Told[]): Told[] {
  const together: Told[] = [];
  for (const message of messages) {
    const last = together.at(-1);
    const onlyAsks = message.toolCalls.length > 0 && saysNothing({ ...message, toolCalls: [] });
    if (last?.role === 'assistant' && message.role === 'assistant' && onlyAsks) {
      last.toolCalls.push(...message.toolCalls);
      if (message.finishReason !== undefined) last.finishReason = message.finishReason;
    } else together.push(message);
  }
  return together;
}

/** Attributes `<prefix><number>.<rest>`, by number and the part of the rest that the pattern captures. */
function groupsOf(attributes: Attributes, prefix: string, rest: RegExp): Map<string, AttributeValue>[] {
  const groups = new Map<number, Map<string, AttributeValue>>();
  for (const [name, value] of attributes) {
    if (!name.startsWith(prefix)) continue;
    const [, digits, tail = ''] = /^(\d{1,9})\.(.+)$/s.exec(name.slice(prefix.length)) ?? [];
    const word = rest.exec(tail)?.[1];
    if (digits === undefined || word === undefined) continue;
    const group = groups.get(Number(digits)) ?? new Map<string, AttributeValue>();
    groups.set(Number(digits), group.set(word, value));
  }
  return [...groups].sort(([a], [b]) => a - b).map(([, group]) => group);
}

function messagesOf(words: Attributes, otherwise: string): Told[] {
  const told = toldBy(textIn(words, 'role') ?? otherwise);
  const answers: Told[] = [];
  const name = textIn(words, 'name');
  const callId = textIn(words, 'tool_call_id');
  const finishReason = textIn(words, 'finish_reason');
  if (name !== undefined) told.name = name;
  if (callId !== undefined) told.toolCallId = callId;
  if (finishReason !== undefined) told.finishReason = finishReason;
  addContent(words.get('content'), told, answers);
  const isToldWhole = told.content !== '';
  for (const part of groupsOf(words, 'contents.', /^(?:message_content\.)?(.+)$/)) {
    addContentPart(part, told, isToldWhole);
  }
  for (const call of groupsOf(words, 'tool_calls.', /^(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/)) {
    const asked = callOf(call);
    if (asked !== undefined) told.toolCalls.push(asked);
  }
  if (saysNothing(told) && answers.length > 0) return answers;
  return told.role === 'assistant' ? [told, ...answers] : [...answers, told];
}

/** Text as it is, except that some write a list of parts into it. */
function addContent(content: AttributeValue | undefined, told: Told, answers: Told[]): void {
  if (typeof content !== 'string') return;
  const view = /^\[\s*\{/.test(content) ? JsonView.of(content) : undefined;
  const parts = view?.elements() ?? [];
  const areParts = parts.length > 0 && parts.every((part) => part.textAt('type') !== undefined);
  if (areParts && messagesInJson(view as JsonView, 'user').length === 0) {
    for (const part of parts) addPart(part, told, answers);
  } else told.content += content;
}

/** Some tell the text of a message whole, and its parts once more. */
function addContentPart(part: Attributes, told: Told, isToldWhole: boolean): void {
  const text = textIn(part, 'text');
  if (text !== undefined) told.content += isToldWhole ? '' : text;
  else told.parts.push(payloadOf(part).text);
}

function callOf(call: Attributes): AskedCall | undefined {
  const name = textIn(call, 'name');
  const id = textIn(call, 'id');
  const given = call.get('arguments');
  if (name === undefined) return undefined;
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(given === undefined || given === null ? {} : { arguments: payloadOf(given) }),
  };
}

function textIn(words: Attributes, name: string): string | undefined {
  const value = words.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
