/** The part of a list that is wanted: so many rows, after the one with this sort key. */
export interface Slice {
  limit: number;
  after: readonly (string | number)[] | undefined;
}
