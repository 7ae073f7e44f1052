import type { MappedRun } from '../reported-items.js';
import { agentOfTrace } from './agent-of-trace.js';
import { textOf } from './attributes-of.js';
import { messageItemOf, messagesOfTrace } from './messages-of-trace.js';
import { runIdOfTrace, runOfTrace } from './run-of-trace.js';
import { type OfRun, stepsOfTrace } from './steps-of-trace.js';
import { spanTreeOf } from './span-tree.js';
import { toolCallsOfTrace } from './tool-calls-of-trace.js';
import type { Span } from './span.js';

/**
 * What the spans of one trace come to, as far as they are known; the order does not matter, and of a span that is there
 * twice the later counts. The same spans give the same items, and more spans only say more about the same ids, so that
 * the trace can be mapped again with every part of it that arrives. Throws when there are no spans.
 */
export function mapTrace(spans: readonly Span[]): MappedRun {
  const [first] = spans;
  if (first === undefined) throw new RangeError('a trace has at least one span');
  const tree = spanTreeOf(spans);
  const said = messagesOfTrace(tree);
  const runId = runIdOfTrace(spans.find((span) => runIdOfTrace(span) !== runIdOfTrace(bare(span))) ?? first);
  const ofRun: OfRun =
    tree.root === undefined ? { run_id: runId, agent: agentOfTrace(tree) } : { run_id: runId };
  const projectName = projectNameOf(spans);
  return {
    runId,
    ...(projectName === undefined ? {} : { projectName }),
    items: [
      ...runOfTrace(tree, runId, said),
      ...stepsOfTrace(tree, ofRun),
      ...toolCallsOfTrace(tree, ofRun),
      ...said.map((message) => messageItemOf(message, ofRun)),
    ],
    refused: tree.refused,
    dropped: tree.dropped,
  };
}

/** The span without anything that names a run. */
function bare(span: Span): Span {
  return { ...span, attributes: new Map(), resource: new Map() };
}

function projectNameOf(spans: readonly Span[]): string | undefined {
  for (const { resource } of spans) {
    const name = textOf(resource, ['agentflow.project', 'openinference.project.name', 'service.namespace']);
    if (name !== undefined) return name;
  }
  return undefined;
}
