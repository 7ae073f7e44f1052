/** What tells a row from the others: its id, within its run where it has one. */
interface Named {
  id: string;
  run_id?: string | null;
}

/** The row of each item, in the order of the items; a row that is not there is undefined. */
export function rowOfEach<Row extends Named>(
  items: readonly Named[],
  rows: readonly Row[],
): (Row | undefined)[] {
  const byName = new Map(rows.map((row) => [nameOf(row), row]));
  return items.map((item) => byName.get(nameOf(item)));
}

function nameOf({ run_id, id }: Named): string {
  return `${run_id ?? ''} ${id}`;
}
