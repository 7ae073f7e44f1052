import { jsonMembers } from '@agentflow/domain';
import { agentNameOf, fitting, LONGEST_NAME } from '../records/fitting.js';
import { given, type Members, textOf, within } from '../records/json-reading.js';
import { metadataOf } from '../records/metadata.js';
import { endAfter } from '../records/moments.js';
import { present } from '../records/present.js';
import type { Item, MappedRun } from '../reported-items.js';
import type { OpenaiRecord } from './record.js';
import { outcomeOf, spanItems } from './span-items.js';
import { type OpenaiSpan, type OpenaiTrace, rootsOf, traceOf } from './trace-state.js';
import { usageBySpan } from './usage.js';

const ADAPTER = 'openai-agents';

/** What the SDK calls a workflow that nobody named. */
const UNNAMED = 'Agent workflow';

/**
 * The items of one trace, from all of its records that are known. With more records items are added or say more; none
 * ever vanishes. A trace has no times, so it is announced with its first span. Throws a TypeError without records.
 */
export function mapOpenai(records: readonly OpenaiRecord[]): MappedRun {
  const trace = traceOf(records);
  const usage = usageBySpan(trace);
  const agent = { name: agentNameIn(trace), adapter: ADAPTER };
  const items = trace.spans.flatMap((span) => spanItems(span, trace, usage.get(span.id)));
  items.push(...finished(trace));
  const [first] = trace.spans;
  const all =
    trace.trace === undefined || first === undefined
      ? items.map((item) => ({ ...item, agent }))
      : [started(trace.trace, first.startedAt, agent, trace), ...items];
  return { runId: trace.runId, items: all, refused: trace.refused };
}

function started(
  own: Members,
  at: string,
  agent: { name: string; adapter: string },
  trace: OpenaiTrace,
): Item {
  const metadata = given(own.get('metadata'));
  const session = textOf(own.get('group_id'));
  const theirs = metadata === undefined ? [] : (jsonMembers(metadata) ?? [['metadata', metadata] as const]);
  const name = textOf(own.get('workflow_name')) ?? agent.name;
  const refuse = (member: string, detail: string): unknown =>
    trace.refused.push({ id: `${trace.traceId}.${member}`, detail });
  return {
    type: 'run.started',
    run_id: trace.runId,
    at,
    agent,
    adapter: ADAPTER,
    name: fitting(name, LONGEST_NAME),
    ...present('external_id', trace.traceId.length > 240 ? undefined : `openai:${trace.traceId}`),
    ...present('session_id', isLong(session) ? undefined : session),
    ...present(
      'metadata',
      metadataOf(
        [
          ['name', isLong(name) ? own.get('workflow_name') : undefined],
          ['group_id', isLong(session) ? own.get('group_id') : undefined],
        ],
        theirs,
        refuse,
      ),
    ),
  };
}

function isLong(text: string | undefined): boolean {
  return text !== undefined && text.length > LONGEST_NAME;
}

/** The run has ended when its roots have; what went wrong in an agent at the top is not always said of the root. */
function finished(trace: OpenaiTrace): Item[] {
  const roots = rootsOf(trace);
  const ends = roots.map(({ endedAt, startedAt }) => endedAt && endAfter(startedAt, endedAt));
  const at = ends.reduce((a, b) => (a !== undefined && b !== undefined ? (a > b ? a : b) : undefined), '');
  if (!at) return [];
  const top = trace.spans.filter(
    ({ type, parentId }) => type === 'agent' && roots.some(({ id }) => id === parentId),
  );
  const outcomes = [...roots, ...top].map(outcomeOf);
  const outcome = outcomes.find(({ status }) => status === 'failed') ?? { status: 'succeeded' };
  return [{ type: 'run.finished', run_id: trace.runId, at, ...outcome }];
}

/** By the workflow where somebody named it, else by the first agent that is known to act in it. */
function agentNameIn({ trace, spans }: OpenaiTrace): string {
  const workflow = textOf(trace?.get('workflow_name'));
  const acting = spans.map(agentIn).find((name) => name !== undefined);
  return agentNameOf([workflow === UNNAMED ? undefined : workflow, acting, workflow, ADAPTER]);
}

function agentIn({ type, data }: OpenaiSpan): string | undefined {
  return type === 'agent' ? textOf(data.get('name')) : textOf(within(data.get('data'), 'agent_name'));
}
