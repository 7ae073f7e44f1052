import { decodedString, endOfScalar, endOfString, skipSpace } from './json-text.js';
import { RawJson } from './raw-json.js';

/**
 * The members of an object by name, each still as its source text; undefined when the value is no object.
 * Of a repeated name the last value counts. Linear; the values are passed over and not parsed.
 */
export function jsonMembers(json: RawJson): Map<string, RawJson> | undefined {
  const { text } = json;
  let at = skipSpace(text, 0);
  if (text[at] !== '{') return undefined;
  const members = new Map<string, RawJson>();
  at = skipSpace(text, at + 1);
  while (text[at] === '"') {
    const endOfName = endOfString(text, at);
    const name = decodedString(text, at, endOfName);
    const start = skipSpace(text, skipSpace(text, endOfName) + 1);
    const end = endOfValue(text, start);
    members.set(name, RawJson.trusted(text.slice(start, end)));
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
  return members;
}

/** The offset after the value that starts at `start`: brackets are counted, strings stepped over. */
function endOfValue(text: string, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    switch (text[at]) {
      case '"':
        at = endOfString(text, at) - 1;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        depth--;
        break;
      default:
        if (depth === 0) return endOfScalar(text, at);
    }
    if (depth === 0) return at + 1;
  }
  return text.length;
}
