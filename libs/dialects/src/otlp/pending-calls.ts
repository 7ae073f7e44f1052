import { readPayload } from '@agentflow/domain';
import { AskedCalls } from './asked-calls.js';
import type { SpanTree } from './span-tree.js';
import { type AskedCall, callText } from './told.js';

/**
 * The calls that the last model asked for and that nothing has answered, as the text of a list; such runs wait for somebody.
 * Arguments that are no metadata, as those that nest too deep there, are left out: they stand whole in the message.
 */
export function pendingCallsOf(tree: SpanTree): string | undefined {
  const last = tree.nodes
    .filter(({ role, conversation }) => role === 'llm' && conversation.outputs.length > 0)
    .at(-1);
  const asked = last?.conversation.asked ?? [];
  if (asked.length === 0) return undefined;
  const calls = new AskedCalls(tree);
  const answered = new Set<string | undefined>();
  for (const node of tree.nodes) {
    if (node.role === 'tool') answered.add(calls.answeredBy(node).callId);
    const { inputs, outputs } = node.conversation;
    for (const { role, toolCallId } of [...inputs, ...outputs]) if (role === 'tool') answered.add(toolCallId);
  }
  const pending = asked.filter(({ id }) => id !== undefined && !answered.has(id));
  if (pending.length === 0) return undefined;
  return [textOf(pending), textOf(pending.map(withoutArguments))].find(isMetadata);
}

function textOf(calls: readonly AskedCall[]): string {
  return `[${calls.map(callText).join(',')}]`;
}

function withoutArguments({ arguments: _, ...call }: AskedCall): AskedCall {
  return call;
}

/** Whether it can be a member of the metadata. */
function isMetadata(text: string): boolean {
  return readPayload(`{"":${text}}`, 'structured').ok;
}
