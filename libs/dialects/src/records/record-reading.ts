import {
  DEFAULT_JSON_LIMITS,
  type Envelope,
  type EnvelopeReading,
  type EnvelopeShape,
  type JsonFault,
  RawJson,
  readEnvelope,
} from '@agentflow/domain';
import type { Unread } from '../reported-items.js';

/** A set in which everything is, but some names: reporters name members that nobody here knows, and all are kept as text. */
class EveryNameBut extends Set<string> {
  override has(name: string): boolean {
    return !super.has(name);
  }
}

/** The shape of a record: whatever its members are called, each is cut out as text. */
export const RECORD: EnvelopeShape = { opaque: new EveryNameBut() };

/** The members of a record that can be kept, and what is wrong with the others; or why there is no record. */
export type MembersReading =
  { ok: true; members: Map<string, RawJson>; refused: readonly { name: string; detail: string }[] } | Unread;

/** Reads a text that is one record. */
export function readRecord(text: string, limits = DEFAULT_JSON_LIMITS): MembersReading {
  const reading = readEnvelope(text, RECORD, limits);
  if (reading.value === undefined) return unread(reading);
  return membersOf(reading.value, reading.ok ? [] : reading.faults, 1);
}

/**
 * A record that was read with others; the pointers of its faults have its members at `depth`. One that names a member
 * twice, or by what cannot be kept, is not taken: nobody can say what was meant.
 */
export function membersOf(envelope: Envelope, faults: readonly JsonFault[], depth: number): MembersReading {
  const refused = faults.map((fault) => ({ name: memberAt(fault, depth), detail: sentenceOf(fault) }));
  const [fatal] = refused.filter(({ name }, at) => name === '' || faults[at]?.kind === 'duplicate');
  if (fatal !== undefined) return { ok: false, detail: fatal.detail };
  const members = new Map<string, RawJson>();
  for (const [name, value] of Object.entries(envelope))
    if (value instanceof RawJson) members.set(name, value);
  return { ok: true, members, refused };
}

function memberAt({ pointer }: JsonFault, depth: number): string {
  return (pointer.split('/')[depth] ?? '').replaceAll('~1', '/').replaceAll('~0', '~');
}

/** A list of records inside a body, each with its faults; an element that is no object has no envelope. */
export interface ListedRecord {
  index: number;
  envelope: Envelope | undefined;
  faults: JsonFault[];
}

export type ListsReading = { ok: true; lists: ReadonlyMap<string, readonly ListedRecord[]> } | Unread;

/** Reads a body whose members of these names are lists of records; one that is absent is empty. */
export function readLists(
  text: string,
  names: readonly string[],
  limits = DEFAULT_JSON_LIMITS,
): ListsReading {
  // What nobody asks for is passed over as text: parsed, it would take many times its bytes.
  const shape = { opaque: new EveryNameBut(names), nested: new Map(names.map((name) => [name, RECORD])) };
  const reading = readEnvelope(text, shape, limits);
  const { value } = reading;
  if (value === undefined) return unread(reading);
  const lists = new Map<string, ListedRecord[]>();
  for (const name of names) {
    const list = value[name] ?? [];
    if (!Array.isArray(list)) return { ok: false, detail: `${name} is not a list` };
    lists.set(
      name,
      list.map((item, index) => ({ index, envelope: asEnvelope(item), faults: [] })),
    );
  }
  for (const fault of reading.ok ? [] : reading.faults) {
    const [, name = '', index = ''] = fault.pointer.split('/');
    const record = index === '' ? undefined : lists.get(name)?.[Number(index)];
    if (record === undefined && names.includes(name)) return unreadFor(fault);
    record?.faults.push(fault);
  }
  return { ok: true, lists };
}

function asEnvelope(item: unknown): Envelope | undefined {
  const isObject = typeof item === 'object' && item !== null && !Array.isArray(item);
  return isObject && !(item instanceof RawJson) ? (item as Envelope) : undefined;
}

function unread(reading: EnvelopeReading): Unread {
  const [fault] = reading.ok ? [] : reading.faults;
  return fault === undefined ? { ok: false, detail: 'it cannot be read' } : unreadFor(fault);
}

function unreadFor(fault: JsonFault): Unread {
  return { ok: false, detail: sentenceOf(fault), isTooLarge: fault.kind === 'too_large' };
}

/** Where and what, as one line. */
function sentenceOf({ pointer, detail }: JsonFault): string {
  return pointer === '' ? detail : `${pointer}: ${detail}`;
}
