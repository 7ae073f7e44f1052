import type { RunAddition } from '../reporting/sql/add-to-run.js';
import type { StepRow } from '../steps/step-row.js';
import { usageOf } from '../steps/step-usage.js';

/** A step as far as its place in the tree and its usage go. */
export type AncestorRow = Pick<
  StepRow,
  | 'run_id'
  | 'id'
  | 'status'
  | 'parent_step_id'
  | 'tokens_in'
  | 'tokens_out'
  | 'cost_usd'
  | 'tokens_below'
  | 'cost_below'
>;

/**
 * Marks what lies above the moved steps as covered, for each measure that they or the steps below them say: an agent or
 * chain step repeats what its children used, so only the deepest step that says a measure counts for it. Each climb ends
 * at a step that is covered already, so no circle can hold it. Answers the ids of the steps that were not covered before.
 */
export function coverAncestors(
  moved: Iterable<AncestorRow>,
  find: (id: string) => AncestorRow | undefined,
): Set<string> {
  const covered = new Set<string>();
  for (const step of moved) {
    const tokens = step.tokens_in !== null || step.tokens_out !== null || step.tokens_below;
    const cost = step.cost_usd !== null || step.cost_below;
    let above = step.parent_step_id === null ? undefined : find(step.parent_step_id);
    while (above && ((tokens && !above.tokens_below) || (cost && !above.cost_below))) {
      above.tokens_below ||= tokens;
      above.cost_below ||= cost;
      covered.add(above.id);
      above = above.parent_step_id === null ? undefined : find(above.parent_step_id);
    }
  }
  return covered;
}

/**
 * The same for all steps of a run, where something has come loose: what was covered before may be so no more. Answers
 * the ids of the steps for which that has changed.
 */
export function coverAnew(
  all: readonly AncestorRow[],
  find: (id: string) => AncestorRow | undefined,
): Set<string> {
  const steps = new Set(all.map(({ id }) => find(id) as AncestorRow));
  const before = new Map(
    [...steps].map(({ id, tokens_below, cost_below }) => [id, { tokens_below, cost_below }]),
  );
  for (const step of steps) Object.assign(step, { tokens_below: false, cost_below: false });
  coverAncestors(steps, find);
  const changed = [...steps].filter(({ id, tokens_below, cost_below }) => {
    const was = before.get(id);
    return was?.tokens_below !== tokens_below || was.cost_below !== cost_below;
  });
  return new Set(changed.map(({ id }) => id));
}

/** What the totals of the run gain by a step that was written so before, and is written so now. */
export function usageGained(before: AncestorRow | undefined, after: AncestorRow): RunAddition[] {
  return [...(before === undefined ? [] : [usageOf(before, -1)]), usageOf(after, 1)];
}
