import type { StepFacts } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { countOf, within } from '../records/json-reading.js';
import { written } from '../records/json-writing.js';
import { present } from '../records/present.js';
import { ancestorsOf, type OpenaiTrace } from './trace-state.js';

type Path = readonly string[];

/** Where a count stands inside usage; the first that is there counts. */
const COUNTS = {
  input: [['input_tokens'], ['prompt_tokens']],
  output: [['output_tokens'], ['completion_tokens']],
} as const satisfies Record<string, readonly Path[]>;

/** The same for the parts of them. */
const DETAILS: Readonly<Record<string, readonly Path[]>> = {
  cache_read_tokens: [
    ['cached_input_tokens'],
    ['input_tokens_details', 'cached_tokens'],
    ['prompt_tokens_details', 'cached_tokens'],
  ],
  cache_write_tokens: [['cache_write_input_tokens']],
  reasoning_tokens: [
    ['output_tokens_details', 'reasoning_tokens'],
    ['completion_tokens_details', 'reasoning_tokens'],
  ],
};

/** Spans that call a model themselves. */
const MODELS = new Set(['generation', 'response']);

/**
 * The usage of the spans on which it counts: calls of models, and turns below which no such call says what it used. A
 * task only sums up its turns.
 */
export function usageBySpan(trace: OpenaiTrace): ReadonlyMap<string, RawJson> {
  const usage = new Map<string, RawJson>();
  const covered = new Set<string>();
  for (const span of trace.spans) {
    const own = MODELS.has(span.type) ? usageIn(span.data.get('usage')) : undefined;
    if (own === undefined) continue;
    usage.set(span.id, own);
    for (const { id } of ancestorsOf(span, trace.byId)) {
      if (covered.has(id)) break;
      covered.add(id);
    }
  }
  for (const span of trace.spans) {
    const sum =
      span.type === 'turn' && !covered.has(span.id) ? within(span.data.get('data'), 'usage') : undefined;
    const own = usageIn(sum);
    if (own !== undefined) usage.set(span.id, own);
  }
  return usage;
}

/** Usage that says something. */
function usageIn(json: RawJson | undefined): RawJson | undefined {
  const says = [...COUNTS.input, ...COUNTS.output].some(
    (path) => countOf(within(json, ...path)) !== undefined,
  );
  return says ? json : undefined;
}

/** What a span used, as a step says it. */
export function usageFacts(
  usage: RawJson | undefined,
): Pick<StepFacts<RawJson>, 'tokens_in' | 'tokens_out' | 'token_details'> {
  if (usage === undefined) return {};
  const details = Object.entries(DETAILS)
    .map(([name, paths]) => [name, firstCount(usage, paths)] as const)
    .filter(([, count]) => (count ?? 0) > 0);
  return {
    ...present('tokens_in', firstCount(usage, COUNTS.input)),
    ...present('tokens_out', firstCount(usage, COUNTS.output)),
    ...present('token_details', details.length > 0 ? written(Object.fromEntries(details)) : undefined),
  };
}

function firstCount(usage: RawJson, paths: readonly Path[]): number | undefined {
  return paths.map((path) => countOf(within(usage, ...path))).find((count) => count !== undefined);
}
