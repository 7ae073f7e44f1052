import { RawJson, plainDecimal, sameJson } from '@agentflow/domain';
import { withoutFlags } from './flags.js';

type Members = Readonly<Record<string, unknown>>;

/**
 * Whether what is stored agrees with everything that is stated: JSON by value, decimals by value, metadata without
 * the product's own flags. What a statement leaves out is not compared, and a payload of `null` is none.
 */
export function agreesWith(stored: object, stated: object): boolean {
  return Object.entries(stated).every(
    ([name, value]) => value === undefined || sameMember(name, (stored as Members)[name] ?? null, value),
  );
}

/** Whether two payloads are the same value; `null` and no payload at all are. */
export function samePayload(a: RawJson | null, b: RawJson | null): boolean {
  return sameJson(a ?? NONE, b ?? NONE);
}

const NONE = RawJson.trusted('null');

function sameMember(name: string, stored: unknown, stated: unknown): boolean {
  if (stated instanceof RawJson) {
    const payload = stored instanceof RawJson ? stored : null;
    return samePayload(name === 'metadata' && payload ? withoutFlags(payload) : payload, stated);
  }
  if (name === 'cost_usd' && typeof stored === 'string' && typeof stated === 'string') {
    return plainDecimal(stored) === plainDecimal(stated);
  }
  return stored === stated;
}
