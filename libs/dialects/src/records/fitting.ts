import { normalizeName } from '@agentflow/domain';

/** How many characters the names of steps, tools and runs may have, and what an error may say. */
export const LONGEST_NAME = 256;
export const LONGEST_ERROR = 64 * 1024;

/** The text if it has at most so many UTF-16 units, else its beginning with `…`; never half a character. */
export function fitting(text: string, most: number): string {
  if (text.length <= most) return text;
  const isHigh = /[\ud800-\udbff]/.test(text.charAt(most - 2));
  return `${text.slice(0, isHigh ? most - 2 : most - 1)}…`;
}

/** The first of the names that an agent can have, in its normal form; the last one has to be such a name. */
export function agentNameOf(names: readonly (string | undefined)[]): string {
  for (const raw of names) {
    const normal = raw === undefined ? undefined : normalizeName(raw);
    if (normal !== undefined && 'name' in normal) return normal.name;
  }
  throw new TypeError('none of the names can be an agent’s');
}
