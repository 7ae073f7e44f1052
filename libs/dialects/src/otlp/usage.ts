import { jsonMembers, parseCost, readPayload } from '@agentflow/domain';
import { countOf, firstOf, textOf } from './attributes-of.js';
import type { Attributes, AttributeValue } from './span.js';

/** Attributes whose text is a JSON object of counts; `NAMES` and `DETAILS` call its members `attribute.member`. */
const OBJECTS = ['langfuse.observation.usage_details', 'langfuse.observation.cost_details'] as const;

/** Where the conventions keep a count of tokens; the first name that is there counts. */
const NAMES = {
  input: [
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
    'ai.usage.inputTokens',
    'ai.usage.promptTokens',
    'langfuse.observation.usage_details.input',
    'langfuse.observation.usage_details.input_tokens',
    'langfuse.observation.usage_details.prompt_tokens',
  ],
  output: [
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
    'ai.usage.outputTokens',
    'ai.usage.completionTokens',
    'langfuse.observation.usage_details.output',
    'langfuse.observation.usage_details.output_tokens',
    'langfuse.observation.usage_details.completion_tokens',
  ],
  cost: ['operation.cost', 'gen_ai.usage.cost', 'llm.cost.total', 'langfuse.observation.cost_details.total'],
} as const;

/** The same for the parts of them. Reasoning is a part of the output, the caches are parts of the input. */
const DETAILS = {
  cache_read_tokens: [
    'gen_ai.usage.cache_read.input_tokens',
    'gen_ai.usage.cache_read_input_tokens',
    'llm.token_count.prompt_details.cache_read',
    'ai.usage.inputTokenDetails.cacheReadTokens',
    'ai.usage.cachedInputTokens',
    'langfuse.observation.usage_details.cache_read_input_tokens',
    'langfuse.observation.usage_details.input_cached_tokens',
  ],
  cache_write_tokens: [
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'gen_ai.usage.cache_creation_input_tokens',
    'gen_ai.usage.cache_write_input_tokens',
    'llm.token_count.prompt_details.cache_write',
    'ai.usage.inputTokenDetails.cacheWriteTokens',
    'langfuse.observation.usage_details.cache_creation_input_tokens',
    'langfuse.observation.usage_details.cache_write_input_tokens',
  ],
  reasoning_tokens: [
    'gen_ai.usage.reasoning.output_tokens',
    'gen_ai.usage.reasoning_tokens',
    'llm.token_count.completion_details.reasoning',
    'ai.usage.outputTokenDetails.reasoningTokens',
    'ai.usage.reasoningTokens',
    'langfuse.observation.usage_details.output_reasoning_tokens',
    'langfuse.observation.usage_details.reasoning_tokens',
  ],
  input_audio_tokens: ['gen_ai.usage.audio.input_tokens', 'llm.token_count.prompt_details.audio'],
  output_audio_tokens: ['gen_ai.usage.audio.output_tokens', 'llm.token_count.completion_details.audio'],
  input_image_tokens: ['gen_ai.usage.image.input_tokens'],
  output_image_tokens: ['gen_ai.usage.image.output_tokens'],
} as const;

type Detail = keyof typeof DETAILS;
const ALL_DETAILS = Object.entries(DETAILS) as [Detail, readonly string[]][];

/** All attributes that usage is read from. */
export const USAGE_ATTRIBUTES: ReadonlySet<string> = new Set<string>([
  ...OBJECTS,
  ...Object.values(NAMES).flat(),
  ...Object.values(DETAILS).flat(),
]);

/** What one call of a model used. Absent is what the span does not say; it is not zero. */
export interface Usage {
  /** All tokens that went in, the cached ones among them. */
  tokensIn: number | undefined;
  /** All tokens that came out, those of reasoning among them. */
  tokensOut: number | undefined;
  /** Parts of the two that are not zero. */
  details: Partial<Record<Detail, number>>;
  /** In US dollars, as the reporter reckoned it; a decimal as text. */
  costUsd: string | undefined;
}

/** The usage that a span states, whichever convention it follows; nothing when it states none. */
export function usageOf(said: Attributes): Usage | undefined {
  const attributes = withMembersOfObjects(said);
  const details: Usage['details'] = {};
  for (const [detail, names] of ALL_DETAILS) {
    const count = countOf(attributes, names);
    if (count !== undefined && count > 0) details[detail] = count;
  }
  const tokensIn = withCaches(countOf(attributes, NAMES.input), details);
  const tokensOut = countOf(attributes, NAMES.output);
  const costUsd = costOf(attributes);
  if (tokensIn === undefined && tokensOut === undefined && costUsd === undefined) return undefined;
  return { tokensIn, tokensOut, details, costUsd };
}

/** The members keep their digits: numbers stay the texts that they were. */
function withMembersOfObjects(attributes: Attributes): Attributes {
  if (!OBJECTS.some((name) => attributes.has(name))) return attributes;
  const texts = OBJECTS.map((name) => [name, textOf(attributes, [name])] as const);
  const all = new Map<string, AttributeValue>(attributes);
  for (const [name, text = ''] of texts) {
    const reading = readPayload(text);
    for (const [member, value] of (reading.ok && jsonMembers(reading.value)) || []) {
      all.set(`${name}.${member}`, value.text);
    }
  }
  return all;
}

/**
 * The conventions count cached tokens among the input, and some reporters hand on the figures of a provider that does
 * not. When the parts are more than the whole, they cannot be parts.
 */
function withCaches(input: number | undefined, details: Usage['details']): number | undefined {
  const cached = (details.cache_read_tokens ?? 0) + (details.cache_write_tokens ?? 0);
  return input !== undefined && cached > input ? input + cached : input;
}

/** A double is what it prints as, and no more than ten places of it can be kept. */
function costOf(attributes: Attributes): string | undefined {
  const cost = firstOf(attributes, NAMES.cost);
  if (typeof cost === 'bigint') return parseCost(cost.toString());
  if (typeof cost === 'string') return parseCost(cost);
  if (typeof cost !== 'number') return undefined;
  return parseCost(cost) ?? parseCost(cost.toFixed(10));
}
