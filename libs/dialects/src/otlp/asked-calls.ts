import { RawJson } from '@agentflow/domain';
import type { SpanNode, SpanTree } from './span-tree.js';

/** The step of a model that asked for a call. */
export interface Asker {
  node: SpanNode;
  arguments?: RawJson;
}

export interface Askers {
  ofCall(node: SpanNode, callId: string | undefined): Asker | undefined;
}

export function askersOf(_tree: SpanTree): Askers {
  return { ofCall: () => undefined };
}
