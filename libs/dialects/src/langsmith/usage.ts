import { parseCost, type RawJson } from '@agentflow/domain';
import type { StepFacts } from '@agentflow/contracts';
import { countOf, elementsOf, textOf, within } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { present } from '../records/present.js';
import { fitting, LONGEST_NAME } from '../records/fitting.js';
import type { LangsmithRun } from './run-state.js';

type Path = readonly string[];

/** Where a count stands inside usage: LangChain's own names, then those that providers' answers are kept under. */
const COUNTS = {
  input: [['input_tokens'], ['prompt_tokens'], ['promptTokens']],
  output: [['output_tokens'], ['completion_tokens'], ['completionTokens']],
} as const satisfies Record<string, readonly Path[]>;

/** The parts of them that are told apart. */
const DETAILS: Readonly<Record<string, Path>> = {
  cache_read_tokens: ['input_token_details', 'cache_read'],
  cache_write_tokens: ['input_token_details', 'cache_creation'],
  reasoning_tokens: ['output_token_details', 'reasoning'],
  input_audio_tokens: ['input_token_details', 'audio'],
  output_audio_tokens: ['output_token_details', 'audio'],
};

type Usage = Pick<StepFacts<RawJson>, 'tokens_in' | 'tokens_out' | 'token_details' | 'cost_usd'>;

/** What a call of a model used, wherever the run says so; nothing when it does not. */
export function usageOf(run: LangsmithRun): Usage {
  const outputs = run.members.get('outputs');
  const usage =
    within(messageIn(outputs), 'usage_metadata') ??
    within(outputs, 'usage_metadata') ??
    within(outputs, 'llm_output', 'token_usage') ??
    within(outputs, 'llmOutput', 'tokenUsage') ??
    run.metadata.get('usage_metadata');
  if (usage === undefined) return {};
  const details = Object.entries(DETAILS)
    .map(([name, path]) => [name, countOf(within(usage, ...path))] as const)
    .filter(([, count]) => (count ?? 0) > 0);
  const cost = within(usage, 'total_cost');
  return {
    ...present('tokens_in', firstCount(usage, COUNTS.input)),
    ...present('tokens_out', firstCount(usage, COUNTS.output)),
    ...present('token_details', details.length > 0 ? written(Object.fromEntries(details)) : undefined),
    ...present('cost_usd', cost && parseCost(cost.text)),
  };
}

/** The members of the first message that a model generated, or of the message that its outputs are. */
export function messageIn(outputs: RawJson | undefined): RawJson | undefined {
  const first = elementsOf(within(outputs, 'generations') ?? written(null))?.[0];
  const generation = first && (elementsOf(first)?.[0] ?? first);
  const message = within(generation, 'message') ?? within(outputs, 'output') ?? outputs;
  return within(message, 'kwargs') ?? message;
}

/** The model and who served it, by LangSmith's own metadata or by how it was called. */
export function modelOf(run: LangsmithRun): Pick<StepFacts, 'model' | 'provider'> {
  const call = run.extra.get('invocation_params');
  const answer = within(messageIn(run.members.get('outputs')), 'response_metadata');
  const model =
    textOf(run.metadata.get('ls_model_name')) ??
    textOf(within(call, 'model')) ??
    textOf(within(call, 'model_name')) ??
    textOf(within(call, 'modelName')) ??
    textOf(within(answer, 'model_name')) ??
    textOf(within(answer, 'model'));
  const provider = textOf(run.metadata.get('ls_provider'));
  return {
    ...present('model', model && fitting(model, LONGEST_NAME)),
    ...present('provider', provider && fitting(provider, LONGEST_NAME)),
  };
}

function firstCount(usage: RawJson, paths: readonly Path[]): number | undefined {
  return paths.map((path) => countOf(within(usage, ...path))).find((count) => count !== undefined);
}
