import { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import { rawJson, type MessageParams, type MessageRole } from '@agentflow/sdk';

const ROLES: Readonly<Record<string, MessageRole>> = {
  human: 'user',
  ai: 'assistant',
  tool: 'tool',
  system: 'system',
  developer: 'developer',
};

/** A message of LangChain as the API takes it; content that is no text goes into `extra` as it is. */
export function messageOf(message: BaseMessage): MessageParams {
  const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
  const extra = {
    ...(typeof message.content === 'string' ? {} : { content: message.content }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
  return {
    role: ROLES[message.getType()] ?? 'user',
    content: message.text,
    ...(message.name ? { name: message.name } : {}),
    ...(ToolMessage.isInstance(message) ? { tool_call_id: message.tool_call_id } : {}),
    ...(Object.keys(extra).length === 0 ? {} : { extra: plain(extra) }),
  };
}

/**
 * A state or an output as plain JSON: messages in the form above, whatever else has members as an object of them,
 * and what has none as its text.
 */
export function plain(value: unknown): unknown {
  if (BaseMessage.isInstance(value)) return messageOf(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return isJson(value) ? value : String(value);
  if (value instanceof Date) return value.toISOString();
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(members.map(([name, member]) => [name, plain(member)]));
}

function isJson(value: unknown): boolean {
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

/** A text that is JSON, as JSON and digit for digit; any other as the text that it is. */
export function jsonIn(text: string): unknown {
  try {
    return rawJson(text);
  } catch {
    return text;
  }
}
