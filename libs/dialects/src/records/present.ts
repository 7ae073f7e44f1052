/** A member with its value; no member when there is none, and none for an empty text. */
export function present<K extends string, V>(name: K, value: V | undefined | ''): { [P in K]?: V } {
  return (value === undefined || value === '' ? {} : { [name]: value }) as { [P in K]?: V };
}
