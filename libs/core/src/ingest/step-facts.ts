import type { StepFacts } from '@agentflow/contracts';
import { RawJson, canonicalJson, isStepTerminal } from '@agentflow/domain';
import type { Amends } from './amends.js';
import type { StepRow } from '../steps/step-row.js';

/**
 * What may be said of a step more than once. Which saying stands does not depend on the order in which they arrive: the
 * end of a step outdoes everything, and of the others the one that was said last, by the reporters' clock.
 */
export const FACTS = [
  'status',
  'output',
  'error',
  'error_type',
  'tokens_in',
  'tokens_out',
  'token_details',
  'cost_usd',
  'model',
  'provider',
  'retry_count',
  'metadata',
] as const satisfies (keyof StepRow)[];
export type Fact = (typeof FACTS)[number];

/** What somebody says of a step. */
export interface Saying {
  /** The facts among its members; what is not there is not said. */
  facts: StepFacts<RawJson>;
  status: StepRow['status'] | undefined;
  /** When it was said; undefined for what the end of the step says. */
  at: string | undefined;
}

/** The facts of a step, and what is known of who said them. */
export interface FactRecord extends Pick<StepRow, Fact | 'started_at'> {
  /** A bit for each fact that the end has said. */
  settled: number;
  /** When the other facts were said, as a JSON object; null where all were said at the start. */
  said: RawJson | null;
}

type Clocks = Partial<Record<Fact, string>>;

/** Later than everything that is said while a step is under way. Moments compare as texts do. */
const THE_END = '~';

const BITS = new Map<Fact, number>(FACTS.map((fact, i) => [fact, 1 << i]));
const isSettled = (step: FactRecord, fact: Fact): boolean =>
  (step.settled & (BITS.get(fact) as number)) !== 0;

/**
 * Takes over what is said; answers whether anything changed. Two sayings of one moment are told apart by their text, so
 * that both orders come to the same. An amendment replaces what the same reporter said before.
 */
export function take(step: FactRecord, saying: Saying, amends: Amends): boolean {
  const { at } = saying;
  const said: Clocks = step.said === null ? {} : (step.said.parse() as Clocks);
  const clock = at ?? THE_END;
  let hasChanged = false;
  for (const fact of FACTS) {
    const value = valueOf(saying, fact);
    if (value === undefined) continue;
    const known = clockOf(step, fact, said);
    const isOutdone = amends
      ? clock < known && isSettled(step, fact)
      : !stands(value, clock, step[fact], known);
    if (isOutdone) continue;
    // That it still holds at a later moment is news: what was said in between is outdone.
    hasChanged ||= clock !== known || !sameFact(step[fact], value);
    (step as Record<Fact, unknown>)[fact] = value;
    if (at === undefined) step.settled |= BITS.get(fact) as number;
    else said[fact] = at;
  }
  step.said = keptClocks(step, said);
  return hasChanged;
}

/** Whether a fact of a step was said by anything but its start. */
export function wasSaid(step: FactRecord, fact: Fact): boolean {
  return isSettled(step, fact) || (step.said !== null && fact in (step.said.parse() as Clocks));
}

/** When a stored fact was said; the empty text before anything. */
function clockOf(step: FactRecord, fact: Fact, said: Clocks): string {
  if (isSettled(step, fact)) return THE_END;
  const at = said[fact] ?? (isUnsaid(step, fact) ? '' : (step.started_at ?? ''));
  // What was completed one request at a time has no bits, and is as settled.
  const isWhole = isStepTerminal(step.status) && !isSettled(step, 'status');
  return isWhole && !isUnsaid(step, fact) ? THE_END : at;
}

const UNSAID: Partial<Record<Fact, unknown>> = { retry_count: 0, metadata: '{}' };

function isUnsaid(step: FactRecord, fact: Fact): boolean {
  const value = step[fact];
  return value === null || (value instanceof RawJson ? value.text : value) === UNSAID[fact];
}

function stands(value: unknown, clock: string, stored: unknown, known: string): boolean {
  return clock > known || (clock === known && textOf(value) > textOf(stored));
}

/**
 * Only what differs from the default is kept: most steps are said by their start and their end alone. A value that looks
 * as if nobody had said it needs its clock.
 */
function keptClocks(step: FactRecord, said: Clocks): RawJson | null {
  const kept = (Object.entries(said) as [Fact, string][]).filter(
    ([fact, at]) => !isSettled(step, fact) && (at !== step.started_at || isUnsaid(step, fact)),
  );
  return kept.length === 0 ? null : RawJson.trusted(JSON.stringify(Object.fromEntries(kept)));
}

/** Whether everything that is said is what is known. */
export function agrees(step: FactRecord, saying: Saying): boolean {
  return FACTS.every((fact) => {
    const value = valueOf(saying, fact);
    return value === undefined || sameFact(step[fact], value);
  });
}

const valueOf = ({ facts, status }: Saying, fact: Fact): unknown =>
  fact === 'status' ? status : facts[fact];

function sameFact(a: unknown, b: unknown): boolean {
  return a === b || (a !== null && textOf(a) === textOf(b));
}

function textOf(value: unknown): string {
  return value instanceof RawJson ? canonicalJson(value) : String(value);
}
