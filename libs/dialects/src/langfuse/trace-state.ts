import { jsonMembers, type RawJson } from '@agentflow/domain';
import { given, type Members, textOf } from '../records/json-reading.js';
import { objectOf } from '../records/json-writing.js';
import { endAfter, momentOf } from '../records/moments.js';
import type { Refusal } from '../reported-items.js';
import { isObservation, type ObservationType, observationType } from './event-types.js';
import { type LangfuseRecord, runIdOfLangfuse } from './record.js';

/** Something that events are about, as far as they say. */
interface Entity {
  id: string;
  type: string;
  /** When its first event was sent. */
  at: string;
  members: Members;
}

/** An observation, which has a place in time. */
export interface Observation {
  id: string;
  type: ObservationType;
  parentId: string | undefined;
  startedAt: string;
  endedAt: string | undefined;
  members: Members;
}

/** All that is known of one trace. */
export interface LangfuseTrace {
  runId: string;
  traceId: string;
  trace: Entity | undefined;
  /** By their beginnings. */
  observations: readonly Observation[];
  byId: ReadonlyMap<string, Observation>;
  scores: readonly RawJson[];
  refused: Refusal[];
}

/** Throws a TypeError without records. */
export function traceOf(records: readonly LangfuseRecord[]): LangfuseTrace {
  const [first] = records;
  if (first === undefined) throw new TypeError('no records make no run');
  const { traceId } = first;
  const inOrder = [...records].sort((a, b) => byText(a.at, b.at) || byText(a.eventId, b.eventId));
  const entities = (belongs: (type: string) => boolean): Entity[] =>
    merged(inOrder.filter(({ type }) => belongs(type)));
  const observations = entities(isObservation)
    .map(observationOf)
    .filter((observation) => observation !== undefined)
    .sort((a, b) => byText(a.startedAt, b.startedAt) || byText(a.id, b.id));
  const scores = entities((type) => type === 'score-create');
  return {
    runId: runIdOfLangfuse(first),
    traceId,
    trace: entities((type) => type === 'trace-create').find(({ id }) => id === traceId),
    observations,
    byId: new Map(observations.map((observation) => [observation.id, observation])),
    scores: scores.sort((a, b) => byText(a.id, b.id)).map(({ members }) => objectOf(members)),
    refused: [],
  };
}

/** Later events say more than earlier ones; null takes nothing away, and metadata grows. */
function merged(inOrder: readonly LangfuseRecord[]): Entity[] {
  const entities = new Map<string, Entity & { members: Map<string, RawJson> }>();
  for (const { id, type, at, members } of inOrder) {
    const entity = entities.get(id) ?? { id, type, at, members: new Map<string, RawJson>() };
    if (type.endsWith('-create')) entity.type = type;
    for (const [name, json] of members) {
      const known = entity.members.get(name);
      if (given(json) !== undefined)
        entity.members.set(name, name === 'metadata' ? grown(known, json) : json);
    }
    entities.set(id, entity);
  }
  return [...entities.values()];
}

function grown(known: RawJson | undefined, more: RawJson): RawJson {
  const [before, after] = [known && jsonMembers(known), jsonMembers(more)];
  return before === undefined || after === undefined ? more : objectOf(new Map([...before, ...after]));
}

/** Nothing while it is not known whether it is a step or a tool call. */
function observationOf({ id, type, at, members }: Entity): Observation | undefined {
  const endTime = momentOf(members.get('endTime'));
  const startedAt = momentOf(members.get('startTime')) ?? at;
  const kind = observationType(type, textOf(members.get('type')));
  if (kind === undefined) return undefined;
  const end = kind === 'event' ? (endTime ?? startedAt) : endTime;
  return {
    id,
    type: kind,
    parentId: textOf(members.get('parentObservationId')),
    startedAt,
    endedAt: end && endAfter(startedAt, end),
    members,
  };
}

/** The nearest observation above that is known and no tool call; above one that is not known nothing is. */
export function stepAbove({ id, parentId }: Observation, { byId }: LangfuseTrace): Observation | undefined {
  const seen = new Set([id]);
  for (let above = parentId; above !== undefined && !seen.has(above);) {
    const parent = byId.get(above);
    if (parent === undefined || parent.type !== 'tool') return parent;
    seen.add(above);
    above = parent.parentId;
  }
  return undefined;
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
