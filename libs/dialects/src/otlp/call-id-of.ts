import { JsonView } from './json-view.js';
import type { SpanNode } from './span-tree.js';

/**
 * The id that the model gave to the call that a tool's span answers. LangChain says it in the answer only: of JavaScript
 * below `kwargs`, of Python below `data`.
 */
export function callIdOf({ names, output }: SpanNode): string | undefined {
  if (names.providerCallId !== undefined || output === undefined) return names.providerCallId;
  const view = new JsonView(output);
  const answer = view.member('output') ?? view;
  return answer.textAt('tool_call_id') ?? answer.member('kwargs', 'data')?.textAt('tool_call_id');
}
