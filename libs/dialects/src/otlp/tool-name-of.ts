import { textOf } from './attributes-of.js';
import type { SpanNode } from './span-tree.js';

/** What the tool is called whose call a span is. */
export function toolNameOf({ names, span }: SpanNode): string {
  const own = span.name.replace(/^(execute_tool|tools\/call|running tool:?) +/, '');
  return names.toolName ?? textOf(span.attributes, ['traceloop.entity.name']) ?? (own === '' ? 'tool' : own);
}
