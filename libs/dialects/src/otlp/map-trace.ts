import { uuidOfHex } from '../derived-id.js';
import type { MappedRun } from '../reported-items.js';
import { agentOfTrace } from './agent-of-trace.js';
import { textOf } from './attributes-of.js';
import type { LogRecord } from './log-record.js';
import { messageItemOf, messagesOfTrace } from './messages-of-trace.js';
import { runOfTrace, statedRunIdOf } from './run-of-trace.js';
import { stepsOfTrace } from './steps-of-trace.js';
import { spanTreeOf } from './span-tree.js';
import { toolCallsOfTrace } from './tool-calls-of-trace.js';
import type { Span } from './span.js';

/**
 * What the spans of one trace come to, as far as they are known; the order does not matter, and of a span that is there
 * twice the later counts. Log records are joined to their spans; one whose span is not known says nothing yet. The same
 * spans give the same items, and more spans only say more about the same ids, so that the trace can be mapped again with
 * every part of it that arrives. Throws when there are no spans.
 */
export function mapTrace(spans: readonly Span[], logs: readonly LogRecord[] = []): MappedRun {
  const tree = spanTreeOf(spans, logs);
  const known = tree.nodes.map(({ span }) => span);
  const runId = known.map(statedRunIdOf).find((id) => id !== undefined) ?? uuidOfHex(tree.traceId);
  const ofRun = tree.root === undefined ? { run_id: runId, agent: agentOfTrace(tree) } : { run_id: runId };
  const said = messagesOfTrace(tree);
  const projectName = known.map(projectNameOf).find((name) => name !== undefined);
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

function projectNameOf({ resource }: Span): string | undefined {
  return textOf(resource, ['agentflow.project', 'openinference.project.name', 'service.namespace']);
}
