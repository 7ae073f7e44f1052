import type { SpanRole } from './span-role.js';
import type { Span } from './span.js';
import type { Told } from './told.js';

/** What was said in a call of a model. */
export interface Conversation {
  /** With the instructions in front. */
  inputs: Told[];
  outputs: Told[];
}

export function conversationOf(_span: Span, _role: SpanRole, _taken: Set<string>): Conversation {
  return { inputs: [], outputs: [] };
}
