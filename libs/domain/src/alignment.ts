/** Which elements of two sequences belong together, as places in the one and the other, both rising. */
export interface Alignment {
  readonly pairs: readonly (readonly [a: number, b: number])[];
  /** No more elements can be paired than these; false where the search was bounded. */
  readonly isLongest: boolean;
}

/** How many differences are looked through before what was found so far is taken for good. */
const MOST_DIFFERENCES = 100;

/**
 * Pairs equal elements of two sequences in their order: a longest common subsequence, after Myers, "An O(ND) Difference
 * Algorithm and Its Variations" (1986). What occurs on one side only is set aside first. Where more than a hundred
 * differences lie together, the best beginning is kept and the search goes on behind it: then there may be longer ones, and
 * two unlike sequences of 30,000 take a tenth to a fifth of a second (with a thousand, about one, and hardly more was paired). Swapping
 * the sequences swaps the pairs.
 */
export function align(a: readonly string[], b: readonly string[]): Alignment {
  if (isBefore(a, b)) return alignInOrder(a, b);
  const { pairs, isLongest } = alignInOrder(b, a);
  return { pairs: pairs.map(([y, x]) => [x, y] as const), isLongest };
}

/** One order for every two different sequences, so that which of several paths is found does not depend on who is first. */
function isBefore(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return a.length < b.length;
  const at = a.findIndex((label, i) => label !== b[i]);
  return at < 0 || (a[at] as string) < (b[at] as string);
}

function alignInOrder(a: readonly string[], b: readonly string[]): Alignment {
  const numbers = new Map<string, number>();
  const inA = new Set(a);
  const inB = new Set(b);
  const common = (of: readonly string[], other: ReadonlySet<string>): Kept => {
    const places = of.flatMap((label, place) => (other.has(label) ? [place] : []));
    const labels = Int32Array.from(places, (place) => numberOf(numbers, of[place] as string));
    return { places, labels };
  };
  const [left, right] = [common(a, inB), common(b, inA)];
  const pairs: [number, number][] = [];
  let isLongest = true;
  for (let x = 0, y = 0; x < left.labels.length && y < right.labels.length;) {
    const found = stretch(left.labels.subarray(x), right.labels.subarray(y));
    for (const [i, j] of found.pairs)
      pairs.push([left.places[x + i] as number, right.places[y + j] as number]);
    isLongest &&= found.isWhole;
    x += found.x;
    y += found.y;
  }
  return { pairs, isLongest };
}

interface Kept {
  readonly places: readonly number[];
  readonly labels: Int32Array;
}

function numberOf(numbers: Map<string, number>, label: string): number {
  const known = numbers.get(label) ?? numbers.size;
  numbers.set(label, known);
  return known;
}

/** A path from the beginning: to the end of both, or as far as a bounded number of differences leads. */
interface Stretch {
  readonly pairs: readonly (readonly [number, number])[];
  readonly x: number;
  readonly y: number;
  readonly isWhole: boolean;
}

function stretch(a: Int32Array, b: Int32Array): Stretch {
  const most = Math.min(MOST_DIFFERENCES, a.length + b.length);
  const reached: Reached[] = [];
  for (let d = 0; d <= most; d++) {
    const now = new Int32Array(2 * d + 1).fill(-1);
    reached.push(now);
    for (let k = -d; k <= d; k += 2) {
      const x = slide(a, b, k, stepTo(reached, d, k, a.length, b.length).x);
      now[k + d] = x;
      if (x === a.length && x - k === b.length) return pathTo(reached, d, k, a.length, b.length, true);
    }
  }
  let best = 0;
  let furthest = -1;
  for (let k = -most; k <= most; k += 2) {
    const x = placeOf(reached, most, k);
    if (x >= 0 && 2 * x - k > furthest) [best, furthest] = [k, 2 * x - k];
  }
  return pathTo(reached, most, best, a.length, b.length, false);
}

/** By diagonal (x - y), how far into `a` a number of differences leads; -1 where nowhere. */
type Reached = Int32Array;

function placeOf(reached: readonly Reached[], d: number, k: number): number {
  return Math.abs(k) <= d ? (reached[d]?.[k + d] ?? -1) : -1;
}

/** Where the d-th difference leads on a diagonal, and from which; -1 beyond the edges. */
function stepTo(
  reached: readonly Reached[],
  d: number,
  k: number,
  n: number,
  m: number,
): { x: number; from: number } {
  if (d === 0) return { x: 0, from: 0 };
  const overB = placeOf(reached, d - 1, k + 1);
  const overA = placeOf(reached, d - 1, k - 1);
  const down = overB >= 0 && overB - k <= m ? overB : -1;
  const right = overA >= 0 && overA < n ? overA + 1 : -1;
  return down >= right ? { x: down, from: k + 1 } : { x: right, from: k - 1 };
}

function slide(a: Int32Array, b: Int32Array, k: number, from: number): number {
  let x = from;
  if (x >= 0) while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
  return x;
}

/** Follows a path back to the beginning: what was slid over is paired. */
function pathTo(
  reached: readonly Reached[],
  d: number,
  k: number,
  n: number,
  m: number,
  isWhole: boolean,
): Stretch {
  const pairs: [number, number][] = [];
  const x = placeOf(reached, d, k);
  const end = { x, y: x - k };
  for (let left = d, diagonal = k; left >= 0; left--) {
    const { x: start, from } = stepTo(reached, left, diagonal, n, m);
    for (let i = placeOf(reached, left, diagonal) - 1; i >= start; i--) pairs.push([i, i - diagonal]);
    diagonal = from;
  }
  return { pairs: pairs.reverse(), ...end, isWhole };
}
