import type { RawJson } from '@agentflow/domain';
import { agentNameOf, fitting, LONGEST_NAME } from '../records/fitting.js';
import { textOf, textsIn } from '../records/json-reading.js';
import { listOf, written } from '../records/json-writing.js';
import { metadataOf } from '../records/metadata.js';
import { momentOf } from '../records/moments.js';
import { present } from '../records/present.js';
import type { Item, MappedRun } from '../reported-items.js';
import { observationItems, outcomeOf, reportedIn } from './observation-items.js';
import type { LangfuseRecord } from './record.js';
import { type LangfuseTrace, traceOf } from './trace-state.js';

const ADAPTER = 'langfuse';
const KEPT = ['userId', 'release', 'version', 'environment', 'public'];
const MOST_TAGS = 64;
const LONGEST_TAG = 128;

/**
 * The items of one trace, from all of its events that are known. With more of them items are added or say more; none ever
 * vanishes. Throws a TypeError without records.
 */
export function mapLangfuse(records: readonly LangfuseRecord[]): MappedRun {
  const trace = traceOf(records);
  const name = textOf(trace.trace?.members.get('name'));
  const agent = { name: agentNameOf([name, ADAPTER]), adapter: ADAPTER };
  const below = trace.observations.flatMap((observation) => observationItems(observation, trace));
  const items = [...below, ...finished(trace)];
  const all =
    trace.trace === undefined
      ? items.map((item) => ({ ...item, agent }))
      : [started(trace, trace.trace, agent), ...items];
  return { runId: trace.runId, items: all, refused: trace.refused };
}

function started(
  trace: LangfuseTrace,
  { members, at }: NonNullable<LangfuseTrace['trace']>,
  agent: { name: string; adapter: string },
): Item {
  const name = textOf(members.get('name')) ?? agent.name;
  const session = textOf(members.get('sessionId'));
  const said = textsIn(members.get('tags'));
  const tags = said.filter((tag) => tag.length <= LONGEST_TAG).slice(0, MOST_TAGS);
  const ours: [string, RawJson | undefined][] = [
    ['name', name.length > LONGEST_NAME ? written(name) : undefined],
    ['sessionId', session !== undefined && session.length > LONGEST_NAME ? written(session) : undefined],
    ['tags', tags.length < said.length ? members.get('tags') : undefined],
    ['scores', trace.scores.length > 0 ? listOf(trace.scores) : undefined],
    ...KEPT.map((member): [string, RawJson | undefined] => [member, members.get(member)]),
  ];
  const refuse = (member: string, detail: string): unknown =>
    trace.refused.push({ id: `${trace.traceId}.${member}`, detail });
  return {
    type: 'run.started',
    run_id: trace.runId,
    at: momentOf(members.get('timestamp')) ?? at,
    agent,
    adapter: ADAPTER,
    name: fitting(name, LONGEST_NAME),
    ...present('external_id', trace.traceId.length > 240 ? undefined : `langfuse:${trace.traceId}`),
    ...present('session_id', session && session.length <= LONGEST_NAME ? session : undefined),
    ...present('input', members.get('input')),
    ...(tags.length > 0 ? { tags } : {}),
    ...present('metadata', metadataOf(ours, reportedIn(members), refuse)),
  };
}

/**
 * A trace has no end of its own: it has ended when all that nothing is above has, at the latest of these ends. An event
 * is a moment, and says nothing of what goes on.
 */
function finished({ trace, observations, runId }: LangfuseTrace): Item[] {
  const roots = observations.filter(({ parentId, type }) => parentId === undefined && type !== 'event');
  const last = roots.reduce<(typeof roots)[0] | undefined>(
    (a, b) => (a === undefined || (b.endedAt ?? '') > (a.endedAt ?? '') ? b : a),
    undefined,
  );
  if (last?.endedAt === undefined || roots.some(({ endedAt }) => endedAt === undefined)) return [];
  return [
    {
      type: 'run.finished',
      run_id: runId,
      at: last.endedAt,
      ...outcomeOf(last.members),
      ...present('output', trace?.members.get('output')),
    },
  ];
}
