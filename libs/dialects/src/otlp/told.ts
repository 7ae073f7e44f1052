import type { MessageRole } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { objectOf, payloadOf, Unkeepable } from './payload-of.js';

/** A call of a tool that a model asked for. */
export interface AskedCall {
  id?: string;
  name: string;
  arguments?: RawJson;
}

/** A message, whichever convention it was told in. */
export interface Told {
  role: MessageRole;
  /** The role as it was said, where it is none of ours. */
  saidRole?: string;
  name?: string;
  /** Its texts, one after the other. */
  content: string;
  toolCallId?: string;
  toolCalls: AskedCall[];
  /** What is no text, each as JSON text. */
  parts: string[];
  finishReason?: string;
  reasoning?: string;
  /** All of it that is no member of a message. */
  extra?: RawJson;
}

const ROLES: Readonly<Record<string, MessageRole>> = {
  ai: 'assistant',
  assistant: 'assistant',
  developer: 'developer',
  function: 'tool',
  human: 'user',
  model: 'assistant',
  system: 'system',
  tool: 'tool',
  user: 'user',
};

/** A message with nothing in it. Who speaks under a name that nobody knows is taken for a user. */
export function toldBy(role: string): Told {
  const lowered = role.toLowerCase();
  const known = Object.hasOwn(ROLES, lowered) ? ROLES[lowered] : undefined;
  const silent = { content: '', toolCalls: [], parts: [] };
  return known === undefined ? { role: 'user', saidRole: role, ...silent } : { role: known, ...silent };
}

export function saysNothing({ content, toolCalls, parts, reasoning }: Told): boolean {
  return content === '' && toolCalls.length === 0 && parts.length === 0 && reasoning === undefined;
}

const MOST_MESSAGES = 5_000;

/** Throws `Unkeepable` when these are more messages than go into, or come out of, one call of a model. */
export function checkNumber(messages: readonly Told[]): void {
  if (messages.length > MOST_MESSAGES) throw new Unkeepable(`There are more than ${MOST_MESSAGES} messages.`);
}

const LONGEST_CONTENT = 4 * 1024 * 1024;
/** Names and ids of calls that are longer are cut in the message and stand whole beside it. */
export const LONGEST_WORD = 256;

/** The message ready to be kept. Throws `Unkeepable` when it is not. */
export function complete(told: Told): Told {
  if (told.content.length > LONGEST_CONTENT) throw new Unkeepable('A message is longer than 4 MiB.');
  const extra = extraOf(told);
  return extra === undefined ? told : { ...told, extra };
}

function extraOf(told: Told): RawJson | undefined {
  const { toolCalls, parts, finishReason, reasoning, saidRole, name = '', toolCallId = '' } = told;
  const text = objectOf([
    ['tool_calls', toolCalls.length === 0 ? undefined : `[${toolCalls.map(callText).join(',')}]`],
    ['parts', parts.length === 0 ? undefined : `[${parts.join(',')}]`],
    ['finish_reason', quoted(finishReason)],
    ['reasoning', quoted(reasoning)],
    ['role', quoted(saidRole)],
    ['name', name.length > LONGEST_WORD ? quoted(name) : undefined],
    ['tool_call_id', toolCallId.length > LONGEST_WORD ? quoted(toolCallId) : undefined],
  ]);
  return text === '{}' ? undefined : payloadOf(text);
}

/** A call as JSON text. */
export function callText({ id, name, arguments: args }: AskedCall): string {
  return objectOf([
    ['id', quoted(id)],
    ['name', JSON.stringify(name)],
    ['arguments', args?.text],
  ]);
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined ? undefined : JSON.stringify(text);
}
