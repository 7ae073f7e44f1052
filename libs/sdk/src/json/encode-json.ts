import { RawJson } from './raw-json.js';

/** Deeper than anything the API takes, and far from where the stack ends. */
const MAX_DEPTH = 256;

/**
 * The JSON of a request body. What `JSON.stringify` would drop, rename or flatten in silence (a Map becomes `{}`,
 * NaN becomes null, a BigInt or a circle fails without saying where) is refused with its path instead: what an
 * agent reports is evidence. A member that is `undefined` is left out.
 */
export function encodeJson(body: object): string {
  return encode(body, [], []);
}

type Path = (string | number)[];

function encode(value: unknown, path: Path, ancestors: object[]): string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value);
    case 'number':
      if (Number.isFinite(value)) return String(JSON.stringify(value));
      throw refusal(path, `${value}`, 'JSON has no such value');
    case 'object':
      return value === null ? 'null' : encodeObject(value, path, ancestors);
    case 'bigint':
      throw refusal(path, 'a BigInt', 'send a text, or rawJson(String(value)) for a JSON number');
    case 'undefined':
      throw refusal(path, 'undefined', 'send null');
    default:
      throw refusal(path, `a ${typeof value}`, 'JSON has no such value');
  }
}

function encodeObject(value: object, path: Path, ancestors: object[]): string {
  if (value instanceof RawJson) return value.text;
  if (ancestors.includes(value)) throw refusal(path, 'one of its own parents', 'send it without the circle');
  if (ancestors.length >= MAX_DEPTH) throw refusal(path, `nested over ${MAX_DEPTH} deep`, 'send it flatter');
  const encodeContent = Array.isArray(value) ? encodeArray : encodeMembers;
  ancestors.push(value);
  const json = encodeContent(value as never, path, ancestors);
  ancestors.pop();
  return json;
}

function encodeArray(value: unknown[], path: Path, ancestors: object[]): string {
  let json = '';
  // By index, since `map` would pass over holes.
  for (let index = 0; index < value.length; index++) {
    path.push(index);
    json += `${index === 0 ? '' : ','}${encode(value[index], path, ancestors)}`;
    path.pop();
  }
  return `[${json}]`;
}

function encodeMembers(value: object, path: Path, ancestors: object[]): string {
  if (!isPlain(value)) throw refusal(path, aKind(value), hintFor(value));
  let json = '';
  for (const name of Object.keys(value)) {
    path.push(name);
    const member = read(value, name, path);
    if (member !== undefined) {
      json += `${json === '' ? '' : ','}${JSON.stringify(name)}:${encode(member, path, ancestors)}`;
    }
    path.pop();
  }
  return `{${json}}`;
}

/** A getter that throws is the caller's fault, but only the path tells him which one. */
function read(value: object, name: string, path: Path): unknown {
  try {
    return (value as Record<string, unknown>)[name];
  } catch (cause) {
    throw refusal(path, 'a getter that throws', 'send a plain value', cause);
  }
}

/** An object literal, from whatever realm, or an object without a prototype. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function aKind(value: object): string {
  const { constructor } = Object.getPrototypeOf(value) as object;
  return `an instance of ${constructor?.name || 'a class'}`;
}

function hintFor(value: object): string {
  const tag = Object.prototype.toString.call(value);
  if (tag === '[object Date]') return 'send its toISOString()';
  if (tag === '[object Map]') return 'send Object.fromEntries(map), or its entries as an array';
  if (tag === '[object Set]') return 'send [...set]';
  if (tag === '[object Error]' || value instanceof Error) return 'send its name and message';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return 'send a text, such as base64';
  return 'send a plain object';
}

function refusal(path: Path, what: string, advice: string, cause?: unknown): TypeError {
  return new TypeError(`${inWords(path)} is ${what}; ${advice}`, cause === undefined ? undefined : { cause });
}

function inWords(path: Path): string {
  if (path.length === 0) return 'The body';
  return path
    .map((part, at) => {
      if (typeof part === 'number') return `[${part}]`;
      if (!/^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(part)) return `[${JSON.stringify(part)}]`;
      return at === 0 ? part : `.${part}`;
    })
    .join('');
}
