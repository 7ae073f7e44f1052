import type { SpanNode } from './span-tree.js';

/** The id that the model gave to the call that a tool's span answers. */
export function callIdOf({ names }: SpanNode): string | undefined {
  return names.providerCallId;
}
