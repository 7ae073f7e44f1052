import { textOf } from './attributes-of.js';
import { JsonView } from './json-view.js';
import { addCall } from './parts-of-message.js';
import type { Attributes } from './span.js';
import { saysNothing, type Told, toldBy } from './told.js';

/** The AI SDK tells a message of a model in pieces: its text or object, its calls, its thoughts. */
export function responseOfAiSdk(attributes: Attributes, taken: Set<string>): Told[] {
  const told = toldBy('assistant');
  const textual = ['ai.response.text', 'ai.response.object'];
  const reasoning = textOf(attributes, ['ai.response.reasoning']);
  told.content = textOf(attributes, textual) ?? '';
  if (reasoning !== undefined) told.reasoning = reasoning;
  const calls = JsonView.of(attributes.get('ai.response.toolCalls'));
  for (const call of calls?.elements() ?? []) addCall(call, told);
  if (saysNothing(told)) return [];
  for (const name of [...textual, 'ai.response.reasoning', 'ai.response.toolCalls']) taken.add(name);
  return [told];
}
