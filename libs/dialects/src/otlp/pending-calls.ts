import { AskedCalls } from './asked-calls.js';
import type { SpanTree } from './span-tree.js';
import { callText } from './told.js';

/** The calls that the last model asked for and that nothing has answered, as the text of a list; such runs wait for somebody. */
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
  return pending.length === 0 ? undefined : `[${pending.map(callText).join(',')}]`;
}
