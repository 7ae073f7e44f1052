import { RawJson, plainDecimal, sameJson } from '@agentflow/domain';
import { FLAGS_MEMBER, withoutFlags } from './flags.js';

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

function sameMember(name: string, stored: unknown, stated: unknown): boolean {
  if (stated instanceof RawJson) {
    if (stored === null) return stated.text === 'null';
    if (!(stored instanceof RawJson)) return false;
    return stored.text.includes(FLAGS_MEMBER)
      ? sameJson(withoutFlags(stored), withoutFlags(stated))
      : sameJson(stored, stated);
  }
  if (name === 'cost_usd' && typeof stored === 'string' && typeof stated === 'string') {
    return plainDecimal(stored) === plainDecimal(stated);
  }
  return stored === stated;
}
