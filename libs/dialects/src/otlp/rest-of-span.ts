import { jsonTextOf, objectOf, payloadOf } from './payload-of.js';
import { metadataMembersOf } from './span-role.js';
import { clockFlagOf } from './span-times.js';
import type { Attributes, Span, SpanEvent } from './span.js';

/** Metadata may have 256 KiB, and more than this goes into it. */
const MOST_BYTES = 160 * 1024;

const EVALUATION = 'gen_ai.evaluation.result';
/** Events whose attributes are messages, or an error that stands elsewhere. */
const READ_ELSEWHERE =
  /^gen_ai\.(system|user|assistant|tool)\.message$|^gen_ai\.(choice|content\.(prompt|completion)|client\.inference\.operation\.details)$/;

/**
 * What of a span stands nowhere else, by the name of the member of its metadata: attributes that nothing was taken from,
 * events, evaluations, the stack of its error, and what is wrong with its clock. What does not fit is counted.
 */
export function restOf(
  span: Span,
  taken: ReadonlySet<string>,
  stack: string | undefined,
): Map<string, string> {
  const rest = new Map<string, string>();
  const space = { bytes: MOST_BYTES };
  const metadata = metadataMembersOf(span.attributes);
  if (metadata !== undefined)
    addBounded(rest, 'metadata', objectOf([...metadata].map(([k, v]) => [k, v.text])), space);
  const attributes = fittingMembers(span.attributes, (name) => taken.has(name) || rest.has(name), space);
  if (attributes.text !== '{}') rest.set('attributes', attributes.text);
  if (attributes.dropped > 0) rest.set('attributes_dropped', String(attributes.dropped));
  const evaluations = span.events.filter(({ name }) => name === EVALUATION);
  addBounded(rest, 'evaluations', listOf(evaluations.map(({ attributes: of }) => jsonTextOf(of))), space);
  const events = span.events.filter(({ name }) => name !== EVALUATION && !READ_ELSEWHERE.test(name));
  addBounded(rest, 'events', listOf(events.map(eventText)), space);
  if (stack !== undefined) addBounded(rest, 'stack', JSON.stringify(stack), space);
  const clock = clockFlagOf(span);
  if (clock !== undefined) rest.set('clock', `"${clock}"`);
  return rest;
}

function fittingMembers(
  attributes: Attributes,
  isTaken: (name: string) => boolean,
  space: { bytes: number },
): { text: string; dropped: number } {
  const members: [string, string][] = [];
  let dropped = 0;
  for (const [name, value] of attributes) {
    if (isTaken(name)) continue;
    const text = typeof value === 'string' ? JSON.stringify(value) : payloadOf(value).text;
    const bytes = Buffer.byteLength(name) + Buffer.byteLength(text) + 8;
    if (bytes > space.bytes) dropped++;
    else {
      members.push([name, text]);
      space.bytes -= bytes;
    }
  }
  return { text: objectOf(members), dropped };
}

/** Adds the member when there is room, else notes that there was none. */
function addBounded(rest: Map<string, string>, name: string, text: string, space: { bytes: number }): void {
  if (text === '[]') return;
  const bytes = Buffer.byteLength(text) + name.length + 8;
  if (bytes > space.bytes) rest.set(`${name}_dropped`, 'true');
  else {
    rest.set(name, text);
    space.bytes -= bytes;
  }
}

function listOf(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

function eventText({ at, name, attributes }: SpanEvent): string {
  return objectOf([
    ['name', JSON.stringify(name)],
    ['at_unix_nano', at === 0n ? undefined : `"${at}"`],
    ['attributes', attributes.size === 0 ? undefined : jsonTextOf(attributes)],
  ]);
}
