import { RawJson } from '@agentflow/domain';

const SHOWN_ONCE = new WeakSet<RawJson>();

/** A secret that leaves in one answer and is never stored: a replay of that answer has `null` in its place. */
export function shownOnce(secret: string): RawJson {
  const json = RawJson.trusted(JSON.stringify(secret));
  SHOWN_ONCE.add(json);
  return json;
}

/** The answer as it may be kept: without secrets. */
export function withheld(answer: unknown): unknown {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return answer;
  if (answer instanceof RawJson) return SHOWN_ONCE.has(answer) ? null : answer;
  return Object.fromEntries(Object.entries(answer).map(([name, value]) => [name, withheld(value)]));
}
