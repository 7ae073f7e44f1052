import type { RunEventRow } from '@agentflow/core';
import { encodeJson } from '@agentflow/domain';

/**
 * An event as a frame of a stream. JSON has line breaks only between its values, and there a space means the same, so
 * nothing in an event can end its line.
 */
export function frameOf(event: RunEventRow): string {
  const data = encodeJson(shownEvent(event)).replace(/[\r\n]/g, ' ');
  return `id: ${event.seq}\nevent: ${event.type}\ndata: ${data}\n\n`;
}

/** An event as clients see it. */
function shownEvent({ run_id, seq, type, at, entity_id, data }: RunEventRow): object {
  return { run_id, seq, type, at, entity_id, data };
}
