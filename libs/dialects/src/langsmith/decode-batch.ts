import { DEFAULT_JSON_LIMITS, type JsonLimits } from '@agentflow/domain';
import type { Refusal } from '../reported-items.js';
import { stringOf } from '../records/json-reading.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import { membersOf, type MembersReading, readLists, readRecord } from '../records/record-reading.js';
import type { LangsmithReading } from './decode-multipart.js';
import { type LangsmithRecord, recordOfRun } from './record.js';

type Op = 'post' | 'patch';

/** Reads the body of `POST /runs/batch`: `{ post: [...], patch: [...] }`, either of which may be absent. */
export function decodeLangsmithBatch(
  text: string,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): LangsmithReading {
  const reading = readLists(text, ['post', 'patch'], limits);
  if (!reading.ok) return reading;
  const records: LangsmithRecord[] = [];
  const refused: Refusal[] = [];
  for (const op of ['post', 'patch'] as const) {
    for (const { index, envelope, faults } of reading.lists.get(op) ?? []) {
      const read: MembersReading =
        envelope === undefined
          ? { ok: false, detail: 'a run has to be an object' }
          : membersOf(envelope, faults, 3);
      keepOrRefuse(records, refused, read, op, `${op}[${index}]`);
    }
  }
  const { items: mostRecords = Infinity } = limits;
  if (records.length > mostRecords)
    return { ok: false, detail: `it has more than ${mostRecords} records`, isTooLarge: true };
  return { ok: true, records, refused };
}

/** Reads the body of `POST /runs` or `PATCH /runs/:id`, which is one run. */
export function decodeLangsmithRun(
  text: string,
  op: Op,
  id?: string,
  limits: JsonLimits = DEFAULT_JSON_LIMITS,
): LangsmithReading {
  const read = readRecord(text, limits);
  if (!read.ok) return read;
  const records: LangsmithRecord[] = [];
  const refused: Refusal[] = [];
  keepOrRefuse(records, refused, read, op, op, id);
  return { ok: true, records, refused };
}

/** `place` names the run when it names itself by nothing. */
function keepOrRefuse(
  records: LangsmithRecord[],
  refused: Refusal[],
  read: MembersReading,
  op: Op,
  place: string,
  id?: string,
): void {
  const own = id ?? (read.ok ? stringOf(read.members.get('id')) : undefined);
  const name = own ? fitting(`${op}.${own}`, LONGEST_NAME) : place;
  const record = read.ok ? recordOfRun(op, read.members, id) : read.detail;
  if (typeof record === 'string') {
    refused.push({ id: name, detail: record });
    return;
  }
  records.push(record);
  for (const fault of read.ok ? read.refused : []) {
    refused.push({ id: fitting(`${name}.${fault.name}`, LONGEST_NAME), detail: fault.detail });
  }
}
