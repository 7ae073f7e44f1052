import { parseId, type RawJson } from '@agentflow/domain';
import { packRecords, unpackRecords } from '../records/packing.js';
import type { Subject } from '../records/subject.js';
import { given, type Members, stringOf } from '../records/json-reading.js';

/** What came beside a run: kept are its name, its type and its size, and not what it holds. */
export interface Attachment {
  name: string;
  media_type: string;
  size: number;
  stored: false;
}

/** One operation on one of their runs, or a piece of feedback on it. */
export interface LangsmithRecord {
  op: 'post' | 'patch' | 'feedback';
  /** Of the run. */
  id: string;
  traceId: string;
  parentId?: string;
  attachments?: Attachment[];
  /** Of the envelope, with `inputs`, `outputs`, `extra`, `error` and `serialized` among them, as they were sent. */
  members: Map<string, RawJson>;
}

/** The run that a record belongs to: a trace is a run, and has the id of its root. */
export function runIdOfLangsmith({ traceId }: LangsmithRecord): string {
  return traceId;
}

/** Feedback on whatever run of the trace stands at the root. */
export function subjectOfLangsmith({ op, id, traceId, parentId }: LangsmithRecord): Subject {
  return { speaksOfRun: id === traceId || op === 'feedback', about: id, below: parentId };
}

export function packLangsmith(records: readonly LangsmithRecord[]): Uint8Array {
  return packRecords(records);
}

export function unpackLangsmith(bytes: Uint8Array): LangsmithRecord[] {
  return unpackRecords<LangsmithRecord>(bytes);
}

/** What nobody reads, or what says again what other members say. */
const DROPPED = ['events', 'child_runs', 'child_run_ids', 'attachments'];

/** The record of a run's members; or what is wrong with them. `said` is the id that stands outside of them. */
export function recordOfRun(
  op: 'post' | 'patch',
  members: Map<string, RawJson>,
  said?: string,
): LangsmithRecord | string {
  const id = parseId(said ?? stringOf(members.get('id')));
  if (id === undefined) return 'the id of a run has to be a UUID';
  const path = pathOf(stringOf(members.get('dotted_order')) ?? '');
  const parentId = idIn(members, 'parent_run_id') ?? path.at(-2);
  const traceId = idIn(members, 'trace_id') ?? path[0] ?? (parentId === undefined ? id : undefined);
  if (traceId === undefined) return 'neither trace_id nor dotted_order says which trace the run belongs to';
  if (parseId(traceId) === undefined) return 'trace_id has to be a UUID';
  if (parentId !== undefined && parseId(parentId) === undefined) return 'parent_run_id has to be a UUID';
  for (const name of DROPPED) members.delete(name);
  return {
    op,
    id,
    traceId: traceId.toLowerCase(),
    ...(parentId && { parentId: parentId.toLowerCase() }),
    members,
  };
}

/** The record of feedback, which names its run. */
export function recordOfFeedback(members: Map<string, RawJson>): LangsmithRecord | string {
  const id = parseId(idIn(members, 'run_id'));
  if (id === undefined) return 'feedback has to name its run_id';
  const traceId = parseId(idIn(members, 'trace_id') ?? id);
  return traceId === undefined ? 'trace_id has to be a UUID' : { op: 'feedback', id, traceId, members };
}

function idIn(members: Members, name: string): string | undefined {
  const json = given(members.get(name));
  return json && (stringOf(json) ?? json.text);
}

const UUID_AT_END = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** `<time><id>.<time><id>`, from the root to the run itself. What is none of that says nothing. */
function pathOf(dottedOrder: string): string[] {
  const ids = dottedOrder.split('.').map((step) => UUID_AT_END.exec(step.slice(-36))?.[0]);
  return ids.includes(undefined) ? [] : (ids as string[]);
}

/** The moment at which the run began, by the last step of `dotted_order`: `20261129T152402379001Z<id>`. */
export function momentInDottedOrder(dottedOrder: string): string | undefined {
  const step = dottedOrder.slice(dottedOrder.lastIndexOf('.') + 1);
  const [, year, month, day, hour, minute, second, micros] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{6})Z/.exec(step) ?? [];
  return micros && `${year}-${month}-${day}T${hour}:${minute}:${second}.${micros}Z`;
}
