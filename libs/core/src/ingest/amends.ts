import type { IngestItem } from '@agentflow/contracts';
import { jsonMembers, RawJson, encodeJson } from '@agentflow/domain';

/**
 * Whether a batch amends what the same reporter said before. `partly`, where not all of that was mapped again: what it
 * does not say then stays as it is.
 */
export type Amends = boolean | 'partly';

/** What a batch becomes once it is known what was reported before. */
export interface Revision {
  items: readonly IngestItem<RawJson>[];
  /** Runs of which not all that was reported could be looked at: what is not said again stays. */
  partly: ReadonlySet<string>;
  /** Runs that have no end any more, by all that is known. */
  reopened: ReadonlySet<string>;
}

/** The members of both; of one that both have the said one. */
export function withMembers(stored: RawJson, said: RawJson): RawJson {
  const [known, more] = [jsonMembers(stored), jsonMembers(said)];
  if (known === undefined || more === undefined) return said;
  return RawJson.trusted(encodeJson(Object.fromEntries([...known, ...more])));
}

/** The earlier and the later of two moments, which compare as texts do. */
export const earlier = (a: string | null, b: string): string => (a !== null && a < b ? a : b);
export const later = (a: string | null, b: string): string => (a !== null && a > b ? a : b);
