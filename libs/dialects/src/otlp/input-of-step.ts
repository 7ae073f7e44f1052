import { type RawJson } from '@agentflow/domain';
import type { SpanNode } from './span-tree.js';

/** What went into a step. */
export function inputOfStep({ input }: SpanNode): RawJson | undefined {
  return input;
}
