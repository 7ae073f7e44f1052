import { jsonMembers, type RawJson } from '@agentflow/domain';
import { given, type Members, stringOf, textOf, textsIn, within } from '../records/json-reading.js';
import { endAfter, momentOf } from '../records/moments.js';
import { type Attachment, type LangsmithRecord, momentInDottedOrder } from './record.js';

/** One of their runs, as far as its records say. */
export interface LangsmithRun {
  id: string;
  parentId: string | undefined;
  /** Whether its `post` is known, which says what went in. */
  isPosted: boolean;
  members: Members;
  /** All that `extra` holds, beside metadata. */
  extra: Members;
  metadata: Members;
  attachments: readonly Attachment[];
  name: string | undefined;
  runType: string | undefined;
  tags: readonly string[];
  /** Undefined when the records hold no moment at all. */
  startedAt: string | undefined;
  endedAt: string | undefined;
}

/** Their runs by id, each the sum of its records. Feedback makes no run. */
export function runsOf(records: readonly LangsmithRecord[]): Map<string, LangsmithRun> {
  const byId = new Map<string, LangsmithRecord[]>();
  for (const record of records) {
    if (record.op === 'feedback') continue;
    const known = byId.get(record.id);
    if (known === undefined) byId.set(record.id, [record]);
    else known.push(record);
  }
  return new Map(Array.from(byId, ([id, own]) => [id, runOf(id, own)]));
}

/** A patch says more than a post, whichever came first; of two patches the later one counts. */
function runOf(id: string, records: readonly LangsmithRecord[]): LangsmithRun {
  const inOrder = [
    ...records.filter(({ op }) => op === 'post'),
    ...records.filter(({ op }) => op === 'patch'),
  ];
  const members = merged(inOrder.map((record) => record.members));
  const extras = inOrder.map((record) => objectIn(record.members.get('extra')));
  const attachments = inOrder.flatMap((record) => record.attachments ?? []);
  return {
    id,
    parentId: inOrder.map(({ parentId }) => parentId).findLast((parent) => parent !== undefined),
    isPosted: inOrder[0]?.op === 'post',
    members,
    extra: merged(extras),
    metadata: merged(extras.map((extra) => objectIn(extra.get('metadata')))),
    attachments: [...new Map(attachments.map((one) => [one.name, one])).values()].sort(byName),
    name: textOf(members.get('name')),
    runType: textOf(members.get('run_type'))?.toLowerCase(),
    tags: textsIn(members.get('tags')),
    ...momentsOf(members),
  };
}

/** Of an error without an end the beginning is all that is known. */
function momentsOf(members: Members): Pick<LangsmithRun, 'startedAt' | 'endedAt'> {
  const start = momentOf(members.get('start_time'));
  const end = momentOf(members.get('end_time'));
  const startedAt = start ?? momentInDottedOrder(stringOf(members.get('dotted_order')) ?? '') ?? end;
  const isFailed = textOf(members.get('error')) !== undefined;
  return {
    startedAt,
    endedAt: startedAt && end ? endAfter(startedAt, end) : isFailed ? startedAt : undefined,
  };
}

/** The last value under each name; null takes nothing away. */
function merged(all: readonly Members[]): Members {
  const members = new Map<string, RawJson>();
  for (const one of all) {
    for (const [name, value] of one) if (given(value) !== undefined) members.set(name, value);
  }
  return members;
}

function objectIn(json: RawJson | undefined): Members {
  return (json && jsonMembers(json)) ?? new Map();
}

function byName(a: Attachment, b: Attachment): number {
  return a.name < b.name ? -1 : 1;
}

/** A text of the run's metadata. */
export function metadataText(run: LangsmithRun, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(within(run.metadata.get(name)));
    if (text !== undefined) return text;
  }
  return undefined;
}
