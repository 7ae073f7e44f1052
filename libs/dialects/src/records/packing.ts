import { decodeUtf8, encodeJson, jsonMembers, RawJson, readEnvelope } from '@agentflow/domain';
import type { Members } from './json-reading.js';
import { objectOf } from './json-writing.js';

/** A record beside its members is plain: texts, numbers, lists and objects of them. */
interface Recorded {
  members: Members;
}

/** What was kept once may be larger and deeper than one payload. */
const LIMITS = { depth: 200, payloadBytes: Infinity, items: Infinity };

/** Records as bytes that `unpackRecords` reads: UTF-8 JSON in which every member stands as it was sent. */
export function packRecords(records: readonly Recorded[]): Uint8Array {
  const rows = records.map(({ members, ...head }) => ({ head, members: objectOf(members) }));
  return Buffer.from(encodeJson({ records: rows }));
}

/** Throws on bytes that `packRecords` did not make. */
export function unpackRecords<R extends Recorded>(bytes: Uint8Array): R[] {
  const text = decodeUtf8(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const shape = { nested: new Map([['records', { opaque: new Set(['members']) }]]) };
  const reading = text === undefined ? undefined : readEnvelope(text, shape, LIMITS);
  if (!reading?.ok) throw new TypeError('these are no packed records');
  return (reading.value['records'] as { head: object; members: RawJson }[]).map(
    ({ head, members }) => ({ ...head, members: jsonMembers(members) }) as unknown as R,
  );
}
