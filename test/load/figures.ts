/** The middle of several measurements: a noisy machine moves it least. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  return sorted.length % 2 === 1
    ? (sorted[Math.floor(middle)] as number)
    : ((sorted[middle - 1] as number) + (sorted[middle] as number)) / 2;
}

/**
 * Measures two things in turns, and answers the median of the ratios of neighbours, so that drift cancels out. `settle` clears away
 * before each turn what the other one left behind, where that would be done on its time.
 */
export async function ratioInTurns(
  rounds: number,
  ours: () => Promise<number>,
  limit: () => Promise<number>,
  unit: string,
  settle: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const ratios: number[] = [];
  for (let round = 1; round <= rounds; round++) {
    await settle();
    const bound = await limit();
    await settle();
    const reached = await ours();
    ratios.push(reached / bound);
    console.log(
      `  round ${round}: ${reached.toFixed(reached < 10 ? 2 : 0)} ${unit} against ${bound.toFixed(bound < 10 ? 2 : 0)}, ` +
        `ratio ${(reached / bound).toFixed(2)}`,
    );
  }
  return median(ratios);
}
