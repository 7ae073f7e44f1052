import type { RunFinished, RunMoved, RunStarted } from '@agentflow/contracts';
import { parseId, RawJson } from '@agentflow/domain';
import { uuidOfHex } from '../derived-id.js';
import type { Item } from '../reported-items.js';
import { agentOfTrace } from './agent-of-trace.js';
import { textOf } from './attributes-of.js';
import { Fitting } from './fitting.js';
import { RUN_INPUTS, RUN_OUTPUTS } from './payload-names.js';
import { metadataOf, payloadOf } from './payload-of.js';
import { sessionOf, tagsOf, metadataMembersOfRun } from './words-of-run.js';
import { momentOf } from './span-times.js';
import type { SpanNode, SpanTree } from './span-tree.js';
import type { Span } from './span.js';

/** The run that a span belongs to: the one that it or its process names, else its trace. */
export function runIdOfTrace({ attributes, resource, traceId }: Span): string {
  for (const holder of [attributes, resource]) {
    const id = parseId(textOf(holder, ['agentflow.run.id']));
    if (id !== undefined) return id;
  }
  return uuidOfHex(traceId);
}

/** What the root says: that the run began, and how it ended. Nothing as long as the root is not known. */
export function runOfTrace(tree: SpanTree, runId: string): Item[] {
  const { root } = tree;
  if (root === undefined) return [];
  const ended = endOf(tree, root, runId);
  return ended === undefined ? [startOf(tree, root, runId)] : [startOf(tree, root, runId), ended];
}

function startOf(tree: SpanTree, root: SpanNode, runId: string): RunStarted<RawJson> {
  const fitting = new Fitting();
  const agent = agentOfTrace(tree);
  const input = payloadOfRun(tree, RUN_INPUTS) ?? root.input;
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
): RunFinished<RawJson> | RunMoved<RawJson> | undefined {
  const { outcome, span } = root;
  const said = textOf(span.attributes, ['agentflow.run.status']);
  if (outcome === undefined || said === 'running' || said === 'pending') return undefined;
  const at = momentOf(span.endedAt);
  if (said === 'waiting_human' || (said === undefined && isForApproval(tree))) {
    return { type: 'run.moved', run_id: runId, at, status: 'waiting_human' };
  }
  const output = payloadOfRun(tree, RUN_OUTPUTS) ?? root.output;
  return {
    type: 'run.finished',
    run_id: runId,
    at,
    status: said === 'succeeded' || said === 'failed' || said === 'cancelled' ? said : outcome.status,
    ...(output === undefined ? {} : { output }),
    ...new Fitting().error(outcome),
  };
}

/** Pydantic AI ends a run that waits for somebody's approval of a tool call, and says so at the call. */
function isForApproval({ nodes }: SpanTree): boolean {
  return nodes.some(
    ({ span }) => textOf(span.attributes, ['pydantic_ai.tool.deferral.name']) === 'ApprovalRequired',
  );
}

/** What is said of the run at whichever of its spans. */
function payloadOfRun({ nodes }: SpanTree, names: readonly string[]): RawJson | undefined {
  for (const { span } of nodes) {
    const text = textOf(span.attributes, names);
    if (text !== undefined) return payloadOf(text);
  }
  return undefined;
}
