import type { RequestFault } from '@agentflow/contracts';

const MOST_FAULTS = 20;
const LONGEST_POINTER = 128;
const LONGEST_DETAIL = 160;

/**
 * As much of the faults as an answer tells: 20 at most, the first of each place, and with long pointers cut to an
 * ancestor, so that the refusal of hostile input stays below 8 kB.
 */
export function boundedFaults(faults: readonly RequestFault[]): RequestFault[] {
  const told = new Map<string, RequestFault>();
  for (const fault of faults) {
    if (told.size === MOST_FAULTS) break;
    const short = bounded(fault);
    if (!told.has(short.pointer)) told.set(short.pointer, short);
  }
  return [...told.values()];
}

function bounded({ pointer, detail }: RequestFault): RequestFault {
  const sentence = detail.slice(0, LONGEST_DETAIL);
  if (isShort(pointer)) return { pointer, detail: sentence };
  return { pointer: ancestorOf(pointer), detail: `${sentence} (its name is too long to be repeated)` };
}

/** The nearest ancestor that is short enough: the whole body, or the whole query, at the least. */
function ancestorOf(pointer: string): string {
  if (pointer.startsWith('?')) return '?';
  let ancestor = pointer.slice(0, LONGEST_POINTER + 1);
  do ancestor = ancestor.slice(0, Math.max(0, ancestor.lastIndexOf('/')));
  while (!isShort(ancestor));
  return ancestor;
}

/** Measured as it is written in JSON, where an escape takes up to six bytes. */
function isShort(pointer: string): boolean {
  return (
    pointer.length <= LONGEST_POINTER && Buffer.byteLength(JSON.stringify(pointer)) <= LONGEST_POINTER + 2
  );
}
