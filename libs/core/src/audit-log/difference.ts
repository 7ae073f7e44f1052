type Value = string | number | boolean | null;

/** What differs between two states of a thing, of these of its members; undefined when nothing does. */
export function difference<Name extends string>(
  names: readonly Name[],
  before: Readonly<Record<Name, Value>>,
  after: Readonly<Record<Name, Value>>,
): { before: Partial<Record<Name, Value>>; after: Partial<Record<Name, Value>> } | undefined {
  const differing = names.filter((name) => before[name] !== after[name]);
  if (differing.length === 0) return undefined;
  const of = (state: Readonly<Record<Name, Value>>): Partial<Record<Name, Value>> =>
    Object.fromEntries(differing.map((name) => [name, state[name]])) as Partial<Record<Name, Value>>;
  return { before: of(before), after: of(after) };
}
