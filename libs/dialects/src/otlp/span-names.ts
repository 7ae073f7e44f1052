import { textOf } from './attributes-of.js';
import type { Attributes, Span } from './span.js';

/** Where the conventions keep a name; the first that is there and not empty counts. */
const NAMES = {
  agent: [
    'gen_ai.agent.name',
    'gen_ai.workflow.name',
    'agent.name',
    'traceloop.workflow.name',
    'ai.telemetry.functionId',
    'mastra.metadata.agentName',
  ],
  agentVersion: ['gen_ai.agent.version'],
  model: [
    'langfuse.observation.model.name',
    'gen_ai.response.model',
    'gen_ai.request.model',
    'llm.response.model_name',
    'llm.model_name',
    'llm.request.model_name',
    'ai.response.model',
    'ai.model.id',
  ],
  provider: ['gen_ai.provider.name', 'gen_ai.system', 'llm.provider', 'ai.model.provider'],
  session: [
    'langfuse.session.id',
    'gen_ai.conversation.id',
    'session.id',
    'ai.telemetry.metadata.sessionId',
    'traceloop.association.properties.thread_id',
  ],
  user: ['langfuse.user.id', 'user.id', 'enduser.id', 'ai.telemetry.metadata.userId'],
  toolName: ['gen_ai.tool.name', 'tool.name', 'ai.toolCall.name'],
  providerCallId: ['gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id', 'tool.id'],
} as const satisfies Record<string, readonly string[]>;

/** The names that a span gives: of itself, of who acts, and of what it belongs to. */
export type SpanNames = Partial<Record<keyof typeof NAMES, string>>;

const ALL_NAMES = Object.entries(NAMES) as [keyof typeof NAMES, readonly string[]][];

/** The attributes that a name was read from, given what was read: those that say that very name. */
export function attributesOfNames(names: SpanNames, attributes: Attributes): Set<string> {
  const read = new Set<string>();
  for (const [what, among] of ALL_NAMES) {
    const name = names[what];
    if (name === undefined) continue;
    for (const attribute of among) if (attributes.get(attribute) === name) read.add(attribute);
  }
  return read;
}

/** Reads all of them. What a span does not say is absent. */
export function namesOf(attributes: Attributes): SpanNames {
  const names: SpanNames = {};
  for (const [what, among] of ALL_NAMES) {
    const name = textOf(attributes, among);
    if (name !== undefined) names[what] = name;
  }
  return names;
}

/** The library that made a span, by its instrumentation scope; the first that fits counts. */
const ADAPTERS: readonly { scope: RegExp; adapter: string }[] = [
  { scope: /^(gen_ai|ai)$/, adapter: 'ai-sdk' },
  { scope: /^@mastra\//, adapter: 'mastra' },
  { scope: /langchain|langgraph|langsmith/, adapter: 'langgraph' },
  { scope: /^pydantic[-_]ai/, adapter: 'pydantic-ai' },
  { scope: /agent_framework/, adapter: 'agent-framework' },
  { scope: /^autogen/, adapter: 'autogen' },
  { scope: /crewai/, adapter: 'crewai' },
  { scope: /openai[_.-]agents/, adapter: 'openai-agents' },
  { scope: /^gcp\.vertex\.agent/, adapter: 'adk' },
  { scope: /^strands/, adapter: 'strands' },
  { scope: /^langfuse-sdk/, adapter: 'langfuse' },
];

/** Spans of a trace are mostly of one library. */
let lastAdapter = { name: '', adapter: 'otel' };

/** The adapter that a run of this span was reported by; `otel` when its library is none of those that are known. */
export function adapterOf({ scope: { name } }: Pick<Span, 'scope'>): string {
  if (name !== lastAdapter.name) {
    const lowered = name.toLowerCase();
    const adapter = ADAPTERS.find(({ scope }) => scope.test(lowered))?.adapter ?? 'otel';
    lastAdapter = { name, adapter };
  }
  return lastAdapter.adapter;
}
