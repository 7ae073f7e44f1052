import { DEFAULT_JSON_LIMITS, type JsonLimits, parseId } from '@agentflow/domain';
import { derivedId, uuidOfHex } from '../derived-id.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { given, type Members, textOf } from '../records/json-reading.js';
import { momentOf } from '../records/moments.js';
import { packRecords, unpackRecords } from '../records/packing.js';
import { type ListedRecord, membersOf, readLists, readRecord } from '../records/record-reading.js';
import type { Subject } from '../records/subject.js';
import type { Refusal, Unread } from '../reported-items.js';
import { EVENT_TYPES, isIgnored, isObservation } from './event-types.js';

/** One event of a batch: something is made, or more is said of it. */
export interface LangfuseRecord {
  /** Of the event; what it is about has an id of its own. */
  eventId: string;
  type: string;
  /** When it was sent. */
  at: string;
  /** The trace, the observation or the score that it is about. */
  id: string;
  traceId: string;
  /** Of its body, as they were sent. */
  members: Members;
}

/** `taken` are the ids of all events that were understood, in their order; some say nothing that is kept. */
export type LangfuseReading =
  { ok: true; records: LangfuseRecord[]; taken: string[]; refused: Refusal[] } | Unread;

/** Reads the body of `POST /api/public/ingestion`: `{ batch: [{ id, type, timestamp, body }] }`. Each event is judged alone. */
export function decodeLangfuseBatch(text: string, limits: JsonLimits = DEFAULT_JSON_LIMITS): LangfuseReading {
  const reading = readLists(text, ['batch'], limits);
  if (!reading.ok) return reading;
  const records: LangfuseRecord[] = [];
  const taken: string[] = [];
  const refused: Refusal[] = [];
  for (const listed of reading.lists.get('batch') ?? []) {
    const { id, outcome } = readEvent(listed, limits);
    if (typeof outcome === 'string') refused.push({ id: fitting(id, LONGEST_NAME), detail: outcome });
    else taken.push(id);
    if (typeof outcome === 'object') records.push(outcome);
  }
  return { ok: true, records, taken, refused };
}

/** An event's id, and its record, or what is wrong with it, or nothing when nothing of it is kept. */
function readEvent(
  { index, envelope, faults }: ListedRecord,
  limits: JsonLimits,
): { id: string; outcome: LangfuseRecord | string | undefined } {
  const read = envelope && membersOf(envelope, faults, 3);
  if (!read?.ok) return { id: `batch[${index}]`, outcome: read?.detail ?? 'an event has to be an object' };
  const eventId = textOf(read.members.get('id'));
  if (eventId === undefined) return { id: `batch[${index}]`, outcome: 'id is missing' };
  const [fault] = read.refused;
  const outcome = fault === undefined ? recordOf(eventId, read.members, limits) : fault.detail;
  return { id: eventId, outcome };
}

function recordOf(eventId: string, event: Members, limits: JsonLimits): LangfuseRecord | string | undefined {
  const type = textOf(event.get('type')) ?? '';
  if (isIgnored(type)) return undefined;
  if (!EVENT_TYPES.has(type)) return 'there is no such type of event';
  const at = momentOf(event.get('timestamp'));
  if (at === undefined) return 'timestamp has to be a moment';
  const body = readRecord(event.get('body')?.text ?? '', limits);
  if (!body.ok) return `body: ${body.detail}`;
  const [fault] = body.refused;
  if (fault !== undefined) return `body: ${fault.detail}`;
  const id = textOf(body.members.get('id')) ?? eventId;
  const traceId = type === 'trace-create' ? id : textOf(given(body.members.get('traceId')));
  if (traceId === undefined) return 'body.traceId is missing';
  return { eventId, type, at, id, traceId, members: body.members };
}

/** The run that a record belongs to: a trace whose id is a UUID, or hex as long as one, keeps it. */
export function runIdOfLangfuse({ traceId }: Pick<LangfuseRecord, 'traceId'>): string {
  const asUuid = /^[0-9a-f]{32}$/i.test(traceId) ? uuidOfHex(traceId) : traceId;
  return parseId(asUuid) ?? derivedId('langfuse', traceId);
}

/** A trace ends when what nothing is above has ended. */
export function subjectOfLangfuse({ id, type, members }: LangfuseRecord): Subject {
  const below = textOf(members.get('parentObservationId'));
  const isRoot = type.endsWith('-create') && below === undefined;
  return { speaksOfRun: !isObservation(type) || isRoot, about: id, below };
}

export function packLangfuse(records: readonly LangfuseRecord[]): Uint8Array {
  return packRecords(records);
}

export function unpackLangfuse(bytes: Uint8Array): LangfuseRecord[] {
  return unpackRecords<LangfuseRecord>(bytes);
}
