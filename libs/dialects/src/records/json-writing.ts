import { encodeJson, RawJson } from '@agentflow/domain';

/** An object of values that are texts already. Names stand as they are: `__proto__` is one like others. */
export function objectOf(members: Iterable<readonly [string, RawJson]>): RawJson {
  const texts = Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value.text}`);
  return RawJson.trusted(`{${texts.join(',')}}`);
}

/** An array of values that are texts already. */
export function listOf(elements: readonly RawJson[]): RawJson {
  return RawJson.trusted(`[${elements.map(({ text }) => text).join(',')}]`);
}

/** A value of ours as text. */
export function written(value: unknown): RawJson {
  return RawJson.trusted(encodeJson(value));
}
