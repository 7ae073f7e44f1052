import type { RawJson } from '@agentflow/domain';

/** The finer counts that prices are known for, by the names under which steps keep them. */
const PRICED = [
  'cache_read_tokens',
  'cache_write_tokens',
  'reasoning_tokens',
  'input_audio_tokens',
  'output_audio_tokens',
  'cache_audio_read_tokens',
  'input_image_tokens',
  'output_image_tokens',
] as const;

export type TokenDetails = Readonly<Partial<Record<(typeof PRICED)[number], number>>>;

const NONE: TokenDetails = {};

/** The counts of `token_details` that are whole numbers above zero; whatever else is in it does not concern prices. */
export function readTokenDetails(stated: RawJson | null): TokenDetails {
  if (stated === null || !stated.text.includes('_tokens')) return NONE;
  const members = stated.parse() as Readonly<Record<string, unknown>> | null;
  if (typeof members !== 'object' || members === null) return NONE;
  const details: Partial<Record<(typeof PRICED)[number], number>> = {};
  for (const name of PRICED) {
    const count = Object.hasOwn(members, name) ? members[name] : undefined;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count > 0) details[name] = count;
  }
  return details;
}
