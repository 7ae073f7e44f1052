import { jsonMembers, type RawJson, readPayload } from '@agentflow/domain';
import { textOf } from './attributes-of.js';
import { adapterOf } from './span-names.js';
import { type StepKind, stepKindOf } from './step-kind.js';
import type { Attributes, Span } from './span.js';

/** What a span is by itself, before its place in the trace is known. `folded` stands for its parent. */
export type SpanRole = StepKind | 'folded' | 'unknown' | 'foreign';

/** Attributes that only reporters of agents set. */
const OF_AGENTS =
  /^(agentflow|ai\.(operationId|telemetry|prompt|response|toolCall)|gcp\.vertex\.agent|gen_ai|graph\.node|langfuse|langsmith|llm|mastra|mcp|mlflow|openinference|pydantic_ai|traceloop)(\.|$)/;

/** LangChain's own pieces between the nodes of a graph. */
const LANGCHAIN_HELPER = /^(RunnableLambda|RunnableSequence|RunnableCallable|ChannelWrite.*)$/;

/** Mastra tells the call of one model four times; only the innermost is the call. */
const MASTRA_KINDS: Readonly<Record<string, SpanRole>> = {
  model_chunk: 'folded',
  model_generation: 'chain',
  model_step: 'chain',
};

/** `unknown` has to do with an agent and does not say what it is; `foreign` has not (HTTP, SQL). */
export function spanRoleOf(span: Span): SpanRole {
  const { attributes } = span;
  const mastra =
    textOf(attributes, ['mastra.span.type', 'mastra.span_type']) ?? span.name.split(/[ :]/)[0] ?? '';
  if (adapterOf(span) === 'mastra' && Object.hasOwn(MASTRA_KINDS, mastra))
    return MASTRA_KINDS[mastra] as SpanRole;
  const kind = stepKindOf(attributes);
  if ((kind === undefined || kind === 'chain') && isLangChainHelper(span)) return 'folded';
  if (kind !== undefined) return kind;
  for (const name of attributes.keys()) if (OF_AGENTS.test(name)) return 'unknown';
  return 'foreign';
}

/**
 * Whether the span is kept without what went in, came out and was said, where that cannot be kept: a run without its root
 * never ends, and what an agent says is told by its models.
 */
export function isKeptAnyway({ parentSpanId }: Span, role: SpanRole): boolean {
  return parentSpanId === undefined || role === 'agent';
}

/** The node of the graph that the span belongs to, by LangGraph's own word. */
export function langGraphNodeOf(attributes: Attributes): string | undefined {
  const said = textOf(attributes, [
    'langsmith.metadata.langgraph_node',
    'traceloop.association.properties.langgraph_node',
  ]);
  if (said !== undefined) return said;
  const node = metadataMembersOf(attributes)?.get('langgraph_node')?.parse();
  return typeof node === 'string' && node !== '' ? node : undefined;
}

/** What OpenInference calls `metadata`: an object in a text. */
export function metadataMembersOf(attributes: Attributes): Map<string, RawJson> | undefined {
  const text = textOf(attributes, ['metadata']);
  if (text === undefined || !text.startsWith('{')) return undefined;
  const reading = readPayload(text);
  return reading.ok ? jsonMembers(reading.value) : undefined;
}

function isLangChainHelper(span: Span): boolean {
  if (span.parentSpanId === undefined || !LANGCHAIN_HELPER.test(span.name)) return false;
  return langGraphNodeOf(span.attributes) !== span.name;
}
