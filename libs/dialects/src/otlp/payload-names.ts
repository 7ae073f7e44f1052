/*
 * Where the conventions keep payloads, in the order of precedence: Langfuse's own, OpenTelemetry's GenAI, OpenInference,
 * the AI SDK, Traceloop, Mastra, Pydantic AI, Google's ADK, MLflow, and the first generation of GenAI.
 */

const MASTRA_SPANS = [
  'agent_run',
  'workflow_run',
  'workflow_step',
  'model_generation',
  'model_step',
  'model_inference',
  'memory_operation',
  'processor_run',
];
const mastra = (spans: readonly string[], what: 'input' | 'output'): string[] =>
  spans.map((span) => `mastra.${span}.${what}`);

const MASTRA_TOOLS = ['tool_call', 'mcp_tool_call', 'client_tool_call', 'provider_tool_call'];

export const INPUTS: readonly string[] = [
  'langfuse.observation.input',
  'gen_ai.input.messages',
  'gen_ai.retrieval.query.text',
  'input.value',
  'ai.prompt.messages',
  'ai.prompt',
  'traceloop.entity.input',
  ...mastra(MASTRA_SPANS, 'input'),
  'gcp.vertex.agent.llm_request',
  'mlflow.spanInputs',
  'gen_ai.prompt',
];

export const OUTPUTS: readonly string[] = [
  'langfuse.observation.output',
  'gen_ai.output.messages',
  'gen_ai.retrieval.documents',
  'output.value',
  'ai.response.text',
  'ai.response.object',
  'ai.response.toolCalls',
  'traceloop.entity.output',
  ...mastra(MASTRA_SPANS, 'output'),
  'final_result',
  'gcp.vertex.agent.llm_response',
  'mlflow.spanOutputs',
  'gen_ai.completion',
];

/** OpenInference's `tool.parameters` says which parameters a tool has, and only some of its libraries put the arguments there. */
export const ARGUMENTS: readonly string[] = [
  'langfuse.observation.input',
  'gen_ai.tool.call.arguments',
  'ai.toolCall.args',
  'traceloop.entity.input',
  'gcp.vertex.agent.tool_call_args',
  ...mastra(MASTRA_TOOLS, 'input'),
  'tool_arguments',
  'input.value',
  'tool.parameters',
  'mlflow.spanInputs',
];

export const RESULTS: readonly string[] = [
  'langfuse.observation.output',
  'gen_ai.tool.call.result',
  'ai.toolCall.result',
  'traceloop.entity.output',
  'gcp.vertex.agent.tool_response',
  ...mastra(MASTRA_TOOLS, 'output'),
  'tool_response',
  'output.value',
  'mlflow.spanOutputs',
];

/** What a model may call. */
export const TOOLS: readonly string[] = ['gen_ai.tool.definitions', 'ai.prompt.tools'];

/** What the run itself was given and gave, said apart from any of its spans. */
export const RUN_INPUTS: readonly string[] = ['langfuse.trace.input'];
export const RUN_OUTPUTS: readonly string[] = ['langfuse.trace.output'];
