import { DEFAULT_JSON_LIMITS, type JsonLimits } from '@agentflow/domain';
import { derivedId, uuidOfHex } from '../derived-id.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { type Members, textOf } from '../records/json-reading.js';
import { packRecords, unpackRecords } from '../records/packing.js';
import { membersOf, type MembersReading, readLists } from '../records/record-reading.js';
import type { Subject } from '../records/subject.js';
import type { Refusal, Unread } from '../reported-items.js';

/** A trace, which has no times, or one of its spans. */
export interface OpenaiRecord {
  object: 'trace' | 'trace.span';
  id: string;
  traceId: string;
  parentId?: string;
  /** As they were sent. */
  members: Members;
}

export type OpenaiReading = { ok: true; records: OpenaiRecord[]; refused: Refusal[] } | Unread;

/** Reads the body of `POST /v1/traces/ingest`: `{ data: [trace | trace.span] }`. A record is kept or refused by itself. */
export function decodeOpenaiTraces(text: string, limits: JsonLimits = DEFAULT_JSON_LIMITS): OpenaiReading {
  const reading = readLists(text, ['data'], limits);
  if (!reading.ok) return reading;
  const records: OpenaiRecord[] = [];
  const refused: Refusal[] = [];
  for (const { index, envelope, faults } of reading.lists.get('data') ?? []) {
    const read = envelope && membersOf(envelope, faults, 3);
    const record = outcomeOf(read ?? { ok: false, detail: 'a record has to be an object' });
    const id = (read?.ok && textOf(read.members.get('id'))) || `data[${index}]`;
    if (typeof record === 'string') refused.push({ id: fitting(id, LONGEST_NAME), detail: record });
    else records.push(record);
  }
  return { ok: true, records, refused };
}

/** A span without its data would be taken for another type, so a fault of one member is the record's. */
function outcomeOf(read: MembersReading): OpenaiRecord | string {
  if (!read.ok) return read.detail;
  return read.refused[0]?.detail ?? recordOf(read.members);
}

function recordOf(members: Members): OpenaiRecord | string {
  const object = textOf(members.get('object'));
  const id = textOf(members.get('id'));
  if (object !== 'trace' && object !== 'trace.span') return 'object has to be trace or trace.span';
  if (id === undefined) return 'id is missing';
  const traceId = object === 'trace' ? id : textOf(members.get('trace_id'));
  if (traceId === undefined) return 'trace_id is missing';
  const parentId = object === 'trace' ? undefined : textOf(members.get('parent_id'));
  return { object, id, traceId, ...(parentId === undefined ? {} : { parentId }), members };
}

const TRACE_OF_HEX = /^trace_([0-9a-f]{32})$/i;

/** The run that a record belongs to: their trace ids are mostly hex, as long as a UUID. */
export function runIdOfOpenai({ traceId }: OpenaiRecord): string {
  const hex = TRACE_OF_HEX.exec(traceId)?.[1];
  return hex === undefined || /^0+$/.test(hex) ? derivedId('openai', traceId) : uuidOfHex(hex);
}

/** A trace ends when the spans that nothing is above have ended. */
export function subjectOfOpenai({ id, parentId }: OpenaiRecord): Subject {
  return { speaksOfRun: parentId === undefined, about: id, below: parentId };
}

export function packOpenai(records: readonly OpenaiRecord[]): Uint8Array {
  return packRecords(records);
}

export function unpackOpenai(bytes: Uint8Array): OpenaiRecord[] {
  return unpackRecords<OpenaiRecord>(bytes);
}
