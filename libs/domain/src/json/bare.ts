/**
 * An object that inherits nothing, so that no name in it means anything to JavaScript. One of `Object.create(null)` is a
 * hash table: a batch of small objects takes a third longer to read, and longer again to work with.
 */
export const Bare = function () {} as unknown as new () => Record<string, unknown>;
const NOTHING: object = Object.freeze(Object.create(null) as object);
Bare.prototype = NOTHING;

/** Whether it is such an object, of either make. */
export function isBare(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === NOTHING || prototype === null;
}
