/** A row that a create came to: a new one, or the one that was there with the same content. */
export interface Stored<Row> {
  row: Row;
  isNew: boolean;
}
