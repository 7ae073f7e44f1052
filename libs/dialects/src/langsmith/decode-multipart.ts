import { DEFAULT_JSON_LIMITS, decodeUtf8, type JsonLimits, readPayload } from '@agentflow/domain';
import type { Refusal, Unread } from '../reported-items.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { readRecord } from '../records/record-reading.js';
import { type Part, readMultipart } from './multipart.js';
import { type LangsmithRecord, recordOfFeedback, recordOfRun } from './record.js';

/** What a request holds; what cannot be read at all is malformed, what one part lacks is its own. */
export type LangsmithReading = { ok: true; records: LangsmithRecord[]; refused: Refusal[] } | Unread;

/** Payloads that have a part of their own. */
const OWN_PARTS = new Set(['inputs', 'outputs', 'extra', 'error', 'serialized']);

/** Its envelope, its payloads, and some attachments. */
const MOST_PARTS_OF_RECORD = 10;

/** Reads the body of `POST /runs/multipart`. Parts may stand in any order, and one id in several envelopes. */
export function decodeLangsmithMultipart(
  body: Uint8Array,
  boundary: string,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): LangsmithReading {
  const { items: mostRecords = Infinity } = limits;
  const reading = readMultipart(body, boundary, mostRecords * MOST_PARTS_OF_RECORD);
  if (!reading.ok) return reading;
  const decoder = new PartDecoder(limits);
  const later = reading.parts.filter((part) => !decoder.take(part));
  for (const part of later)
    if (!decoder.take(part)) decoder.refuse(part.name, 'the request does not hold its run');
  if (decoder.records.length > mostRecords)
    return { ok: false, detail: `it has more than ${mostRecords} records`, isTooLarge: true };
  return { ok: true, records: decoder.records, refused: decoder.refused };
}

class PartDecoder {
  readonly records: LangsmithRecord[] = [];
  readonly refused: Refusal[] = [];
  /** The latest envelope of each operation and id, and of each id. */
  private readonly latest = new Map<string, LangsmithRecord>();

  constructor(private readonly limits: JsonLimits) {}

  /** Whether the part is dealt with; one of a run whose envelope has not come is not. */
  take(part: Part): boolean {
    const [op = '', id = '', ...rest] = (part.name ?? '').split('.');
    const member = rest.join('.');
    if (op === 'feedback' && id !== '') this.takeFeedback(part);
    else if (op === 'attachment' && member !== '') return this.takeAttachment(part, id, member);
    else if (op !== 'post' && op !== 'patch') this.refuse(part.name, 'there is no such part');
    else if (member === '') this.takeEnvelope(part, op, id);
    else if (OWN_PARTS.has(member)) return this.takeMember(part, `${op}.${id.toLowerCase()}`, member);
    else if (member !== 'events') this.refuse(part.name, 'there is no such part');
    return true;
  }

  refuse(name: string | undefined, detail: string): void {
    this.refused.push({
      id: fitting((name || 'a part without a name').toWellFormed(), LONGEST_NAME),
      detail,
    });
  }

  private takeEnvelope(part: Part, op: 'post' | 'patch', id: string): void {
    const record = this.recordIn(part, (members) => recordOfRun(op, members, id));
    if (record === undefined) return;
    this.records.push(record);
    this.latest.set(`${op}.${record.id}`, record).set(record.id, record);
  }

  private takeFeedback(part: Part): void {
    const record = this.recordIn(part, recordOfFeedback);
    if (record !== undefined) this.records.push(record);
  }

  private recordIn(
    part: Part,
    make: (members: Parameters<typeof recordOfFeedback>[0]) => LangsmithRecord | string,
  ): LangsmithRecord | undefined {
    const reading = readRecord(decodeUtf8(part.content) ?? '', this.limits);
    const record = reading.ok ? make(reading.members) : reading.detail;
    if (typeof record === 'string') {
      this.refuse(part.name, record);
      return undefined;
    }
    for (const { name, detail } of reading.ok ? reading.refused : [])
      this.refuse(`${part.name}.${name}`, detail);
    return record;
  }

  private takeMember(part: Part, key: string, member: string): boolean {
    const record = this.latest.get(key);
    if (record === undefined) return false;
    const reading = readPayload(decodeUtf8(part.content) ?? '', 'opaque', this.limits);
    if (reading.ok) record.members.set(member, reading.value);
    else this.refuse(part.name, `${reading.fault.pointer} ${reading.fault.detail}`.trim());
    return true;
  }

  private takeAttachment(part: Part, id: string, name: string): boolean {
    const record = this.latest.get(id.toLowerCase());
    if (record === undefined) return false;
    if (/\0|\ufffd/.test(name)) this.refuse(part.name, 'the name cannot be kept');
    else (record.attachments ??= []).push(attachmentOf(part, name));
    return true;
  }
}

function attachmentOf(
  { mediaType, content }: Part,
  name: string,
): NonNullable<LangsmithRecord['attachments']>[0] {
  return {
    name: fitting(name, LONGEST_NAME),
    media_type: fitting(mediaType, LONGEST_NAME).replaceAll('\0', ''),
    size: content.length,
    stored: false,
  };
}
