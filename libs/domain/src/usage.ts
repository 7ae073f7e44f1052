/** A step as far as the counting of usage sees it. */
export interface UsageStep {
  readonly id: string;
  readonly parentId: string | null;
  /** Whether it reports the measure that is counted (tokens, or cost). */
  readonly carriesUsage: boolean;
}

/**
 * The ids of the steps whose usage counts in their run's totals: those that carry usage and have no
 * descendant that does, for an agent or chain step repeats what its children used. Linear; a parent that is
 * not there counts as none, and so do the links of a circle (its steps all count, rather than none).
 */
export function countedUsage(steps: readonly UsageStep[]): Set<string> {
  const parents = parentsOf(steps);
  const counted = new Set(steps.filter((step) => step.carriesUsage).map((step) => step.id));
  const covered = new Set<string>();
  for (const step of steps) {
    if (!step.carriesUsage) continue;
    let ancestor = parents.get(step.id);
    while (ancestor !== undefined && !covered.has(ancestor)) {
      covered.add(ancestor);
      counted.delete(ancestor);
      ancestor = parents.get(ancestor);
    }
  }
  return counted;
}

/** Each step's parent where it has one, without the links that form a circle. */
function parentsOf(steps: readonly UsageStep[]): Map<string, string> {
  const ids = new Set(steps.map((step) => step.id));
  const parents = new Map<string, string>();
  for (const { id, parentId } of steps) if (parentId !== null && ids.has(parentId)) parents.set(id, parentId);
  for (const id of circlesIn(parents)) parents.delete(id);
  return parents;
}

/** The steps that are their own ancestor. Each step is walked over once: `seenIn` tells by which walk. */
function circlesIn(parents: ReadonlyMap<string, string>): string[] {
  const seenIn = new Map<string, string>();
  const circles: string[] = [];
  for (const start of parents.keys()) {
    let at: string | undefined = start;
    while (at !== undefined && !seenIn.has(at)) {
      seenIn.set(at, start);
      at = parents.get(at);
    }
    if (at === undefined || seenIn.get(at) !== start) continue;
    for (let member: string | undefined = at; member !== undefined; member = parents.get(member)) {
      circles.push(member);
      if (parents.get(member) === at) break;
    }
  }
  return circles;
}
