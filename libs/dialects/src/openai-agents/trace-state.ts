import { jsonMembers, type RawJson } from '@agentflow/domain';
import { given, type Members, textOf, within } from '../records/json-reading.js';
import { momentOf } from '../records/moments.js';
import type { Refusal } from '../reported-items.js';
import { type OpenaiRecord, runIdOfOpenai } from './record.js';

/** One of their spans, as far as its records say. */
export interface OpenaiSpan {
  id: string;
  parentId: string | undefined;
  startedAt: string;
  endedAt: string | undefined;
  /** `span_data.type`; for what the SDK marks as its own, that mark (`task`, `turn`). */
  type: string;
  data: Members;
  members: Members;
}

/** All that is known of one trace. */
export interface OpenaiTrace {
  runId: string;
  traceId: string;
  /** The members of the trace itself, once they are known. */
  trace: Members | undefined;
  /** By their beginnings, parents before their children. */
  spans: readonly OpenaiSpan[];
  byId: ReadonlyMap<string, OpenaiSpan>;
  refused: Refusal[];
}

/** Throws a TypeError without records. */
export function traceOf(records: readonly OpenaiRecord[]): OpenaiTrace {
  const [first] = records;
  if (first === undefined) throw new TypeError('no records make no run');
  const merged = new Map<string, OpenaiRecord>();
  for (const record of records) {
    const key = `${record.object} ${record.id}`;
    const known = merged.get(key);
    merged.set(key, {
      ...known,
      ...record,
      members: new Map([...(known?.members ?? []), ...record.members]),
    });
  }
  const refused: Refusal[] = [];
  const spans = [...merged.values()].filter(({ object }) => object === 'trace.span').map(spanOf);
  for (const span of spans) {
    if (typeof span === 'string') refused.push({ id: span, detail: 'nothing says when the span began' });
  }
  const known = spans.filter((span) => typeof span === 'object');
  const byId = new Map(known.map((span) => [span.id, span]));
  return {
    runId: runIdOfOpenai(first),
    traceId: first.traceId,
    trace: merged.get(`trace ${first.traceId}`)?.members,
    spans: inOrder(known, byId),
    byId,
    refused,
  };
}

/** The span, or the id of one that has no place in time. */
function spanOf({ id, parentId, members }: OpenaiRecord): OpenaiSpan | string {
  const endedAt = momentOf(members.get('ended_at'));
  const startedAt = momentOf(members.get('started_at')) ?? endedAt;
  if (startedAt === undefined) return id;
  const data = objectIn(members.get('span_data'));
  const mark = textOf(within(data.get('data'), 'sdk_span_type'));
  const type = textOf(data.get('type')) ?? 'custom';
  return { id, parentId, startedAt, endedAt, type: type === 'custom' ? (mark ?? type) : type, data, members };
}

function objectIn(json: RawJson | undefined): Members {
  return (given(json) && jsonMembers(json as RawJson)) ?? new Map();
}

function inOrder(spans: readonly OpenaiSpan[], byId: OpenaiTrace['byId']): OpenaiSpan[] {
  const depths = depthsOf(spans, byId);
  const depthOf = ({ id }: OpenaiSpan): number => depths.get(id) ?? 0;
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...spans].sort(
    (a, b) => byText(a.startedAt, b.startedAt) || depthOf(a) - depthOf(b) || byText(a.id, b.id),
  );
}

/** How many known spans are above each. Linear: a walk ends where one before it has been. */
function depthsOf(spans: readonly OpenaiSpan[], byId: OpenaiTrace['byId']): ReadonlyMap<string, number> {
  const depths = new Map<string, number>();
  for (const span of spans) {
    const path = [span];
    for (const above of ancestorsOf(span, byId)) {
      if (depths.has(path.at(-1)?.id ?? '')) break;
      path.push(above);
    }
    let depth = (depths.get(path.at(-1)?.id ?? '') ?? 0) - 1;
    for (const { id } of path.reverse()) depths.set(id, ++depth);
  }
  return depths;
}

/** The known spans above one, the nearest first, up to one that is not known; each once, should they form a circle. */
export function* ancestorsOf(span: OpenaiSpan, byId: OpenaiTrace['byId']): Generator<OpenaiSpan> {
  const seen = new Set([span.id]);
  for (let at = span.parentId; at !== undefined && !seen.has(at);) {
    const parent = byId.get(at);
    if (parent === undefined) return;
    seen.add(at);
    yield parent;
    at = parent.parentId;
  }
}

/** Spans that nothing is above: when they have ended the run has. */
export function rootsOf({ spans }: OpenaiTrace): OpenaiSpan[] {
  return spans.filter(({ parentId }) => parentId === undefined);
}
