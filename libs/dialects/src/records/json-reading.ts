import { jsonMembers, RawJson } from '@agentflow/domain';

/** The members of an object by name, each as it was sent. */
export type Members = ReadonlyMap<string, RawJson>;

/** What stands at the end of a path of names and indexes; null counts as absent. */
export function within(
  json: RawJson | undefined,
  ...path: readonly (string | number)[]
): RawJson | undefined {
  let value = json;
  for (const step of path) {
    if (value === undefined) return undefined;
    value = typeof step === 'number' ? elementsOf(value)?.[step] : jsonMembers(value)?.get(step);
  }
  return given(value);
}

/** The value unless it is null. */
export function given(json: RawJson | undefined): RawJson | undefined {
  return json?.text === 'null' ? undefined : json;
}

/** The elements of an array, each still as its source text; undefined when the value is none. Linear. */
export function elementsOf({ text }: RawJson): RawJson[] | undefined {
  if (text[0] !== '[') return undefined;
  const elements: RawJson[] = [];
  let start = 1;
  let depth = 0;
  for (let at = 1; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = closingQuote(text, at);
    else if (character === '{' || character === '[') depth++;
    else if (depth > 0 && (character === '}' || character === ']')) depth--;
    else if (depth === 0 && (character === ',' || character === ']')) {
      const element = text.slice(start, at).trim();
      if (element !== '') elements.push(RawJson.trusted(element));
      start = at + 1;
    }
  }
  return elements;
}

function closingQuote(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** A string that is not empty. */
export function textOf(json: RawJson | undefined): string | undefined {
  const text = stringOf(json);
  return text === '' ? undefined : text;
}

/** A string, the empty one too. */
export function stringOf(json: RawJson | undefined): string | undefined {
  return json?.text.startsWith('"') ? (json.parse() as string) : undefined;
}

/** A count: a whole number from 0 that a double holds exactly. */
export function countOf(json: RawJson | undefined): number | undefined {
  const count = json !== undefined && /^\d/.test(json.text) ? Number(json.text) : NaN;
  return Number.isSafeInteger(count) ? count : undefined;
}

/** The strings in an array; other elements are passed over. */
export function textsIn(json: RawJson | undefined): string[] {
  const elements = (json && elementsOf(json)) ?? [];
  return elements.map(textOf).filter((text) => text !== undefined);
}
