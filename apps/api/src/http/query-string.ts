/** What stands in a query under one name; absent where the address is not well-formed. */
export type QueryValue = string | string[] | typeof MALFORMED;

/** Stands for text that is no percent-encoded UTF-8. */
export const MALFORMED = Object.freeze({ malformed: true });

const NOTHING = Object.freeze(Object.create(null)) as Record<string, QueryValue>;

/**
 * Reads a query: what is given once is a text, what is given more often a list. Percent-encoding has to be UTF-8,
 * and what is not ASCII has to be encoded: nothing is guessed, and nothing passes for its own spelling.
 */
export function parseQueryString(text: string): Record<string, QueryValue> {
  if (text === '') return NOTHING;
  const values = Object.create(null) as Record<string, QueryValue>;
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const [rawName, rawValue] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)];
    const name = decoded(rawName);
    const value = name === undefined ? undefined : decoded(rawValue);
    add(values, name ?? rawName, value ?? MALFORMED);
  }
  return values;
}

function add(values: Record<string, QueryValue>, name: string, value: string | typeof MALFORMED): void {
  const known = values[name];
  if (known === undefined || value === MALFORMED) values[name] = value;
  else if (Array.isArray(known)) known.push(value as string);
  else if (typeof known === 'string') values[name] = [known, value as string];
}

const NOT_ASCII = /[^\x20-\x7e]/;

function decoded(raw: string): string | undefined {
  if (NOT_ASCII.test(raw)) return undefined;
  const spaced = raw.includes('+') ? raw.replaceAll('+', ' ') : raw;
  if (!spaced.includes('%')) return spaced;
  try {
    return decodeURIComponent(spaced);
  } catch {
    return undefined;
  }
}
