import { textOf } from './attributes-of.js';
import type { Attributes } from './span.js';

/** What a span is to an agent's run. */
export type StepKind =
  | 'agent'
  | 'chain'
  | 'embedding'
  | 'evaluator'
  | 'event'
  | 'guardrail'
  | 'llm'
  | 'memory'
  | 'plan'
  | 'prompt'
  | 'reranker'
  | 'retriever'
  | 'tool';

const memory = (...operations: string[]): Record<string, StepKind> =>
  Object.fromEntries(operations.map((operation) => [operation, 'memory']));

/** Where reporters say what a span is, in the order of precedence. Names of values are compared in lower case. */
const SAID: readonly { attribute: string; kinds: Readonly<Record<string, StepKind>> }[] = [
  {
    attribute: 'langfuse.observation.type',
    kinds: {
      agent: 'agent',
      chain: 'chain',
      embedding: 'embedding',
      evaluator: 'evaluator',
      event: 'event',
      generation: 'llm',
      guardrail: 'guardrail',
      retriever: 'retriever',
      span: 'chain',
      tool: 'tool',
    },
  },
  {
    attribute: 'openinference.span.kind',
    kinds: {
      agent: 'agent',
      chain: 'chain',
      decision: 'plan',
      embedding: 'embedding',
      evaluator: 'evaluator',
      guardrail: 'guardrail',
      llm: 'llm',
      prompt: 'prompt',
      reranker: 'reranker',
      retriever: 'retriever',
      tool: 'tool',
    },
  },
  {
    attribute: 'gen_ai.operation.name',
    kinds: {
      agent_step: 'chain',
      chat: 'llm',
      create_agent: 'agent',
      embeddings: 'embedding',
      execute_task: 'chain',
      execute_tool: 'tool',
      generate_content: 'llm',
      invoke_agent: 'agent',
      invoke_workflow: 'agent',
      plan: 'plan',
      retrieval: 'retriever',
      text_completion: 'llm',
      ...memory('search_memory', 'create_memory', 'update_memory', 'upsert_memory', 'delete_memory'),
      ...memory('create_memory_store', 'delete_memory_store'),
    },
  },
  {
    attribute: 'traceloop.span.kind',
    kinds: { agent: 'agent', session: 'agent', task: 'chain', tool: 'tool', workflow: 'agent' },
  },
  {
    attribute: 'ai.operationId',
    kinds: {
      'ai.embed': 'chain',
      'ai.embed.doembed': 'embedding',
      'ai.embedmany': 'chain',
      'ai.embedmany.doembed': 'embedding',
      'ai.generateobject': 'agent',
      'ai.generateobject.dogenerate': 'llm',
      'ai.generatetext': 'agent',
      'ai.generatetext.dogenerate': 'llm',
      'ai.rerank': 'reranker',
      'ai.streamobject': 'agent',
      'ai.streamobject.dostream': 'llm',
      'ai.streamtext': 'agent',
      'ai.streamtext.dostream': 'llm',
      'ai.toolcall': 'tool',
    },
  },
];

/** Attributes that only one kind of span carries. */
const MARKS: readonly { names: readonly string[]; kind: StepKind }[] = [
  { names: ['gen_ai.tool.name', 'gen_ai.tool.call.id', 'ai.toolCall.name'], kind: 'tool' },
  {
    names: ['gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id'],
    kind: 'llm',
  },
];

/** What a span says that it is, or shows to be; nothing for one that has nothing to do with agents (HTTP, SQL). */
export function stepKindOf(attributes: Attributes): StepKind | undefined {
  for (const { attribute, kinds } of SAID) {
    const said = textOf(attributes, [attribute])?.toLowerCase();
    if (said !== undefined && Object.hasOwn(kinds, said)) return kinds[said];
  }
  return MARKS.find(({ names }) => textOf(attributes, names) !== undefined)?.kind;
}
