import type { JsonFault } from './json-fault.js';

/**
 * The faults of the list at `pointer` (such as `/items`), by index of the item. Faults elsewhere are left
 * out: a caller that refuses single items must refuse the body when the numbers differ.
 */
export function faultsByItem(faults: readonly JsonFault[], pointer: string): Map<number, JsonFault[]> {
  const byItem = new Map<number, JsonFault[]>();
  for (const fault of faults) {
    const rest = fault.pointer.startsWith(`${pointer}/`) ? fault.pointer.slice(pointer.length + 1) : '';
    const index = /^(\d+)(?:\/|$)/.exec(rest)?.[1];
    if (index === undefined) continue;
    const item = byItem.get(Number(index));
    if (item === undefined) byItem.set(Number(index), [fault]);
    else item.push(fault);
  }
  return byItem;
}
