import { createHash } from 'node:crypto';
import { canonicalJson, type RawJson } from '@agentflow/domain';
import { elementsOf, within } from '../records/json-reading.js';
import { messageOf, type SaidMessage } from './message-forms.js';

/** A message at its place: what was said before it is a part of its identity, so that a repetition is one of its own. */
export interface PlacedMessage extends SaidMessage {
  /** SHA-256 over all messages up to this one. */
  prefix: string;
  isInput: boolean;
}

/**
 * What was said in a run, each message once. Graphs give back the state that they were given with what was added, and
 * with a thread's history before it: what was given is looked for in what came out, and only what follows is new. What
 * came out is not placed before it is known what went in (`undefined` when that is not known yet): places never change.
 */
export function conversationOf(
  inputs: RawJson | undefined | null,
  outputs: RawJson | undefined,
): PlacedMessage[] {
  if (inputs === undefined) return [];
  const given = inputs === null ? [] : messagesIn(inputs);
  const all = outputs === undefined ? [] : messagesIn(outputs);
  return placed(given, all.slice(endOfGiven(given, all)));
}

/** A message with what makes it the same as another: role, text and calls of tools. */
interface Worded extends SaidMessage {
  words: string;
}

function worded(message: SaidMessage): Worded {
  const { role, content, toolCalls } = message;
  const calls = toolCalls === undefined ? null : canonicalJson(toolCalls);
  return { ...message, words: JSON.stringify([role, content, calls]) };
}

function placed(inputs: readonly Worded[], added: readonly Worded[]): PlacedMessage[] {
  let prefix = '';
  return [...inputs, ...added].map(({ words, ...message }, at) => {
    prefix = createHash('sha256')
      .update(JSON.stringify([prefix, words]))
      .digest('hex');
    return { ...message, prefix, isInput: at < inputs.length };
  });
}

/** Of places where the given could end, so many are looked at: histories that repeat one message are no reason to try all. */
const MOST_PLACES = 16;

/** Where in `all` that which was given ends: at the beginning, else at its last occurrence, else as far as both agree. */
function endOfGiven(given: readonly Worded[], all: readonly Worded[]): number {
  const last = given.at(-1);
  if (last === undefined) return 0;
  const agreed = agreeing(given, all, 0);
  if (agreed === given.length) return agreed;
  let places = 0;
  for (let end = all.length; end >= given.length && places < MOST_PLACES; end--) {
    if (!isSame(last, all[end - 1])) continue;
    places++;
    if (agreeing(given, all, end - given.length) === given.length) return end;
  }
  return agreed;
}

function agreeing(given: readonly Worded[], all: readonly Worded[], from: number): number {
  let count = 0;
  while (count < given.length && isSame(given[count], all[from + count])) count++;
  return count;
}

/** Ids decide where both have one: a person may say the same thing twice. */
function isSame(a: Worded | undefined, b: Worded | undefined): boolean {
  if (a === undefined || b === undefined) return false;
  if (a.id !== undefined && b.id !== undefined && a.id !== b.id) return false;
  return a.words === b.words;
}

/** `messages` of a state (a list, or one list for each prompt of a model), else the one message that came out. */
function messagesIn(payload: RawJson): Worded[] {
  const listed = within(payload, 'messages');
  const elements = listed && elementsOf(listed);
  const all = elements === undefined ? candidatesIn(payload) : elements.flatMap(promptOf);
  return all
    .map(messageOf)
    .filter((message) => message !== undefined)
    .map(worded);
}

/** A list inside the list is a prompt of its own, unless it is a pair of a role and a text. */
function promptOf(element: RawJson): readonly RawJson[] {
  const inner = elementsOf(element);
  return inner === undefined || inner[0]?.text.startsWith('"') ? [element] : inner;
}

/** The one message that came out: what a model generated, in the words of LangChain or of OpenAI, or the output itself. */
function candidatesIn(payload: RawJson): RawJson[] {
  const generations = within(payload, 'generations');
  const first = generations && elementsOf(generations)?.[0];
  const message =
    within((first && elementsOf(first)?.[0]) ?? first, 'message') ??
    within(payload, 'choices', 0, 'message') ??
    within(payload, 'output') ??
    payload;
  return message.text.startsWith('{') ? [message] : [];
}
