import { decodedString, endOfString } from './json-text.js';

/** One step of a path: a member's name or an element's index. */
export type PathSegment = string | number;

/** Longer pointers are cut after a segment: an answer about hostile input must stay small. */
const LONGEST_POINTER = 1_000;

/** The path as an RFC 6901 JSON Pointer, cut to its nearest ancestor when it is longer than 1,000 characters. */
export function jsonPointer(path: readonly PathSegment[]): string {
  let pointer = '';
  for (const segment of path) {
    const step = typeof segment === 'number' ? `/${segment}` : `/${escapeSegment(segment)}`;
    if (pointer.length + step.length > LONGEST_POINTER) break;
    pointer += step;
  }
  return pointer;
}

/** A name as it stands in a JSON Pointer: `~` and `/` escaped, everything else as it is. */
export function escapeSegment(name: string): string {
  return /[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name;
}

/**
 * The path from the value that starts at `start` to whatever stands at `offset`. Where the text in between is
 * not well-formed, the path is as good as can be told. Only used once a fault is found, so that reading without
 * faults pays nothing for paths.
 */
export function pathTo(text: string, start: number, offset: number): PathSegment[] {
  const path: (PathSegment | undefined)[] = [];
  /** How many more containers are open than a pointer can tell of. */
  let untold = 0;
  for (let at = start; at < offset; at++) {
    const character = text.charAt(at);
    switch (character) {
      case '{':
      case '[':
        if (path.length === LONGEST_POINTER) untold++;
        else path.push(character === '[' ? 0 : undefined);
        break;
      case '}':
      case ']':
        if (untold > 0) untold--;
        else path.pop();
        break;
      case ',':
        if (untold === 0) path.push(following(path.pop()));
        break;
      case '"':
        at = untold > 0 ? endOfString(text, at) - 1 : passString(text, at, offset, path);
        break;
    }
  }
  return path.filter((segment) => segment !== undefined);
}

/** After a comma: the next index of an array; in an object the name is not known yet. */
function following(segment: PathSegment | undefined): PathSegment | undefined {
  return typeof segment === 'number' ? segment + 1 : undefined;
}

/** Steps over a string, to its last character; where a name is due it becomes the path's last segment. */
function passString(text: string, open: number, offset: number, path: (PathSegment | undefined)[]): number {
  const end = endOfString(text, open);
  const isName = path.length > 0 && path[path.length - 1] === undefined;
  if (isName && end <= offset) path[path.length - 1] = nameBetween(text, open, end);
  return end - 1;
}

/** A control character is noticed before what stands in front of it is read: such a name may be no string of JSON, and stays as it is. */
function nameBetween(text: string, open: number, end: number): string {
  try {
    return decodedString(text, open, end);
  } catch {
    return text.slice(open + 1, end - 1);
  }
}
