declare const row: unique symbol;

/** One SQL statement with a name; constant text, so that every connection prepares it once. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** It leaves no row behind; locks, which nobody has to roll back, may stay. */
  readonly reads: boolean;
  /** The shape of a row, known to the compiler only. */
  readonly [row]?: Row;
}

/**
 * Declares a statement. `Row` is what the text selects, and is not checked: the test of the feature is.
 * The name must be unique in the product, since a connection refuses two texts under one name.
 */
export function sql<Row>(name: string, text: string): Statement<Row> {
  return { name, text, reads: /^\s*SELECT\b/.test(text) };
}
