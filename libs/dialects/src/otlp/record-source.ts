/** The bytes that a span or a log record was read from, and those of the groups that it stood in. */
export interface RecordSource {
  record: Uint8Array;
  /** The messages for the scope and for the resource; the same list for all records of one group. */
  scopes: readonly Uint8Array[];
  resources: readonly Uint8Array[];
}

/** Beside the records, so that two of them are equal when they say the same, whatever they came in. */
const SOURCES = new WeakMap<object, RecordSource>();

/** Remembers where the record came from. The bytes are views: as long as the record lives, so does the whole request. */
export function keepSource<T extends object>(record: T, source: RecordSource): T {
  SOURCES.set(record, source);
  return record;
}

/** Where the record came from; nothing when that was no protobuf. */
export function sourceOf(record: object): RecordSource | undefined {
  return SOURCES.get(record);
}
