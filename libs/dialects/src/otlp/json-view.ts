import { jsonMembers, RawJson } from '@agentflow/domain';
import { payloadOf } from './payload-of.js';
import type { AttributeValue } from './span.js';

/** Looks into JSON text without turning it into values, so that whatever is taken out of it is as it was sent. */
export class JsonView {
  private readonly members: ReadonlyMap<string, RawJson> | undefined;

  constructor(private readonly raw: RawJson) {
    this.members = jsonMembers(raw);
  }

  /** Of an attribute; a text in it that holds JSON is that JSON. Throws `Unkeepable`. */
  static of(value: AttributeValue | undefined): JsonView | undefined {
    return value === undefined || value === null ? undefined : new JsonView(payloadOf(value));
  }

  get text(): string {
    return this.raw.text;
  }

  get isObject(): boolean {
    return this.members !== undefined;
  }

  get isList(): boolean {
    return this.text.startsWith('[');
  }

  /** The first member among several names that is there and not null. */
  member(...names: string[]): JsonView | undefined {
    for (const name of names) {
      const found = this.members?.get(name);
      if (found !== undefined && found.text !== 'null') return new JsonView(found);
    }
    return undefined;
  }

  /** The first of several members that is a text and not empty. */
  textAt(...names: string[]): string | undefined {
    for (const name of names) {
      const said = this.member(name)?.said();
      if (said !== undefined && said !== '') return said;
    }
    return undefined;
  }

  /** The text, when the value is one. */
  said(): string | undefined {
    return this.text.startsWith('"') ? (this.raw.parse() as string) : undefined;
  }

  /** The elements of a list; of anything else none. */
  elements(): JsonView[] {
    return this.isList ? elementsOf(this.text).map((text) => new JsonView(RawJson.trusted(text))) : [];
  }
}

function elementsOf(list: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 1; at < list.length - 1; at++) {
    const character = list[at];
    if (character === '"') at = endOfString(list, at);
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    else if (character === ',' && depth === 0) {
      elements.push(list.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = list.slice(start, -1).trim();
  return last === '' ? elements : [...elements, last];
}

/** The offset of the closing quote: the next one with an even number of backslashes before it. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); ; at = text.indexOf('"', at + 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
  }
}
