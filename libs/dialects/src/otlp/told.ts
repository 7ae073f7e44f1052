import type { MessageRole } from '@agentflow/contracts';

/** A call of a tool that a model asked for. */
export interface AskedCall {
  id?: string;
  name: string;
  /** JSON text, as it was sent. */
  arguments?: string;
}

/** A message, whichever convention it was told in. */
export interface Told {
  role: MessageRole;
  /** The role as it was said, where it is none of ours. */
  saidRole?: string;
  name?: string;
  content: string;
  toolCallId?: string;
  toolCalls: AskedCall[];
  /** What is no text, as JSON texts. */
  parts: string[];
  finishReason?: string;
  reasoning?: string;
}
