import type { ToolCallStarted } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import type { Item } from '../reported-items.js';
import { AskedCalls } from './asked-calls.js';
import { textOf } from './attributes-of.js';
import { Fitting } from './fitting.js';
import { metadataOf } from './payload-of.js';
import { momentOf } from './span-times.js';
import type { OfRun } from './steps-of-trace.js';
import { type SpanNode, type SpanTree, stepIdOf } from './span-tree.js';
import { toolNameOf } from './tool-name-of.js';

/** The tool calls, each of the step whose model asked for it, else of the step that it happened in. */
export function toolCallsOfTrace(tree: SpanTree, ofRun: OfRun): Item[] {
  const asked = new AskedCalls(tree);
  return tree.nodes.filter(({ role }) => role === 'tool').flatMap((node) => itemsOf(node, asked, ofRun));
}

/** The id of the tool call that a span is. */
function toolCallIdOf({ span }: Pick<SpanNode, 'span'>): string {
  return derivedId('tool_call', span.traceId, span.spanId);
}

function itemsOf(node: SpanNode, asked: AskedCalls, ofRun: OfRun): Item[] {
  const { span, input, output, outcome } = node;
  const fitting = new Fitting();
  const { callId, asker } = asked.answeredBy(node);
  const step = asker?.node ?? node.parentStep;
  const args = argumentsOf(input, asker?.arguments);
  const error = outcome === undefined ? {} : fitting.error(outcome);
  const started: ToolCallStarted<RawJson> = {
    type: 'tool_call.started',
    ...ofRun,
    id: toolCallIdOf(node),
    at: momentOf(node.start),
    name: fitting.text('name', toolNameOf(node)),
    ...(step === undefined ? {} : { step_id: stepIdOf(step) }),
    ...(args === undefined ? {} : { arguments: args }),
    ...(callId === undefined ? {} : { provider_call_id: fitting.text('provider_call_id', callId) }),
  };
  const metadata = metadataOf([['span_id', `"${span.spanId}"`], ...node.rest, ...fitting.member()]);
  if (metadata !== undefined) started.metadata = metadata;
  if (outcome === undefined || isDeferred(node)) return [started];
  const result = output === undefined ? {} : { result: output };
  const at = momentOf(span.endedAt);
  return [
    started,
    {
      type: 'tool_call.completed',
      ...ofRun,
      id: started.id,
      at,
      status: outcome.status,
      ...result,
      ...error,
    },
  ];
}

/** LangChain's spans leave the name out where there is one argument; what the model asked for has it. */
function argumentsOf(said: RawJson | undefined, asked: RawJson | undefined): RawJson | undefined {
  const isLessThanAsked = asked?.text.startsWith('{') === true && said?.text.startsWith('{') !== true;
  return isLessThanAsked ? asked : (said ?? asked);
}

/** A call that waits for somebody's approval has not happened. */
function isDeferred({ span }: SpanNode): boolean {
  return textOf(span.attributes, ['pydantic_ai.tool.deferral.name']) !== undefined;
}
