import type { MessageRole, RunFinished, RunMoved, RunStarted } from '@agentflow/contracts';
import { parseId, type RawJson, readPayload } from '@agentflow/domain';
import { uuidOfHex } from '../derived-id.js';
import type { Subject } from '../records/subject.js';
import type { Item } from '../reported-items.js';
import { agentOfTrace } from './agent-of-trace.js';
import { textOf } from './attributes-of.js';
import { Fitting } from './fitting.js';
import type { Said } from './messages-of-trace.js';
import { metadataOf } from './payload-of.js';
import { sessionOf, tagsOf, metadataMembersOfRun } from './words-of-run.js';
import { momentOf } from './span-times.js';
import type { SpanNode, SpanTree } from './span-tree.js';
import type { Span } from './span.js';

/**
 * The run that a span or a log record belongs to: the one that it or its process names, else its trace. A process says it
 * best, for all of its spans and logs.
 */
export function runIdOfTrace(record: Pick<Span, 'traceId' | 'attributes' | 'resource'>): string {
  return statedRunIdOf(record) ?? uuidOfHex(record.traceId);
}

/** What a span speaks of: without a parent it stands for the run. */
export function subjectOfSpan({ spanId, parentSpanId }: Span): Subject {
  return { speaksOfRun: parentSpanId === undefined, about: spanId, below: parentSpanId };
}

/** The run that is named by the record or its process. */
export function statedRunIdOf({
  attributes,
  resource,
}: Pick<Span, 'attributes' | 'resource'>): string | undefined {
  const stated = [attributes, resource].map((holder) => parseId(textOf(holder, ['agentflow.run.id'])));
  return stated.find((id) => id !== undefined);
}

/** What the root says: that the run began, and how it ended. Nothing as long as the root is not known. */
export function runOfTrace(tree: SpanTree, runId: string, said: readonly Said[]): Item[] {
  const { root } = tree;
  if (root === undefined) return [];
  const ended = endOf(tree, root, runId, said);
  const started = startOf(tree, root, runId, said);
  return ended === undefined ? [started] : [started, ended];
}

function startOf(tree: SpanTree, root: SpanNode, runId: string, said: readonly Said[]): RunStarted<RawJson> {
  const fitting = new Fitting();
  const agent = agentOfTrace(tree);
  const input =
    tree.nodes.find(({ runInput }) => runInput)?.runInput ?? root.input ?? textOfFirst(said, 'user');
  const tags = tagsOf(tree);
  const session = sessionOf(tree);
  const name = textOf(root.span.attributes, ['langfuse.trace.name']) ?? root.span.name;
  const members = metadataMembersOfRun(tree, root);
  return {
    type: 'run.started',
    run_id: runId,
    at: momentOf(root.start),
    agent,
    adapter: agent.adapter,
    external_id: `otel:${tree.traceId}`,
    ...(name === '' ? {} : { name: fitting.text('name', name) }),
    ...(session === undefined ? {} : { session_id: fitting.text('session_id', session) }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(input === undefined ? {} : { input }),
    metadata: metadataOf([...members, ...fitting.member()]) as RawJson,
  };
}

function endOf(
  tree: SpanTree,
  root: SpanNode,
  runId: string,
  said: readonly Said[],
): RunFinished<RawJson> | RunMoved<RawJson> | undefined {
  const { outcome, span } = root;
  const status = textOf(span.attributes, ['agentflow.run.status']);
  if (outcome === undefined || status === 'running' || status === 'pending') return undefined;
  const at = momentOf(span.endedAt);
  if (status === 'waiting_human' || (status === undefined && isForApproval(tree))) {
    return { type: 'run.moved', run_id: runId, at, status: 'waiting_human' };
  }
  const output =
    tree.nodes.find(({ runOutput }) => runOutput)?.runOutput ??
    root.output ??
    textOfFirst([...said].reverse(), 'assistant');
  return {
    type: 'run.finished',
    run_id: runId,
    at,
    status: status === 'succeeded' || status === 'failed' || status === 'cancelled' ? status : outcome.status,
    ...(output === undefined ? {} : { output }),
    ...new Fitting().error(outcome),
  };
}

/** Where the root does not say it: what was said first, or last. */
function textOfFirst(said: readonly Said[], role: MessageRole): RawJson | undefined {
  const content = said.find(({ told }) => told.role === role && told.content !== '')?.told.content;
  const reading = content === undefined ? undefined : readPayload(JSON.stringify(content));
  return reading?.ok === true ? reading.value : undefined;
}

/** Pydantic AI ends a run that waits for somebody's approval of a tool call, and says so at the call. */
function isForApproval({ nodes }: SpanTree): boolean {
  return nodes.some(
    ({ span }) => textOf(span.attributes, ['pydantic_ai.tool.deferral.name']) === 'ApprovalRequired',
  );
}
