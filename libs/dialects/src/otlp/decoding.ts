/* What the decoders of both encodings share: which spans can be kept, and which not. */

/** Thrown inside the decoders where the encoding itself is broken. */
export class Malformed extends Error {}

/** Thrown inside the decoders where one span cannot be kept. */
export class UnusableSpan extends Error {}

/** How deep values may nest; readers of JSON give up at some depth, and stacks do. */
export const DEEPEST_VALUE = 64;

/** An id as lower-case hex. Throws `UnusableSpan` when it has not so many bytes, or says nothing. */
export function spanIdOf(hex: string, bytes: number, what: string): string {
  if (hex.length !== bytes * 2 || !/^[0-9a-fA-F]*$/.test(hex)) {
    throw new UnusableSpan(`${what} has to be ${bytes} bytes`);
  }
  if (/^0*$/.test(hex)) throw new UnusableSpan(`${what} is all zeros`);
  return hex.toLowerCase();
}

/** The parent's id; a root has none, and some say so with zeros. */
export function parentIdOf(hex: string): string | undefined {
  return /^0*$/.test(hex) ? undefined : spanIdOf(hex, 8, 'parentSpanId');
}

/** A function that works once, at its first call; what it throws is thrown again. */
export function once<T>(work: () => T): () => T {
  let outcome: { value: T } | { error: unknown } | undefined;
  return () => {
    outcome ??= outcomeOf(work);
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };
}

function outcomeOf<T>(work: () => T): { value: T } | { error: unknown } {
  try {
    return { value: work() };
  } catch (error) {
    return { error };
  }
}

/** Reads one span or log record, or notes why it cannot be kept. Anything else than `UnusableSpan` is thrown on. */
export function keepOrReject<T>(kept: T[], rejected: string[], read: () => T): void {
  try {
    kept.push(read());
  } catch (error) {
    if (!(error instanceof UnusableSpan)) throw error;
    rejected.push(error.message);
  }
}
