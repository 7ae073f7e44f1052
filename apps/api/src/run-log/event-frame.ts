import type { ExecutionTale, RunEventRow } from '@agentflow/core';
import { encodeJson } from '@agentflow/domain';

/** An event of the log as a frame of a stream. */
export function frameOf(id: string | number, event: RunEventRow): string {
  return frame(id, event.type, encodeJson(shownEvent(event)));
}

/** Execution events as frames of a stream. Where they say less than the log, its number comes without an event. */
export function taleFrames({ seq, events }: ExecutionTale): string {
  const frames = events.map((event) => frame(event.seq, event.type, encodeJson(event)));
  return frames.join('') + (events.at(-1)?.seq === seq ? '' : placeFrame(seq));
}

/** A frame without an event: whoever comes again goes on behind this id. */
export function placeFrame(id: string | number): string {
  return `id: ${id}\n\n`;
}

function frame(id: string | number, type: string, json: string): string {
  return `id: ${id}\n${frameWithoutId(type, json)}`;
}

/**
 * A frame that leaves whoever comes again where he was. JSON has line breaks only between its values, and there a space means
 * the same, so nothing in it can end its line.
 */
export function frameWithoutId(type: string, json: string): string {
  return `event: ${type}\ndata: ${json.replace(/[\r\n]/g, ' ')}\n\n`;
}

/** An event as clients see it. */
function shownEvent({ run_id, seq, type, at, entity_id, data }: RunEventRow): object {
  return { run_id, seq, type, at, entity_id, data };
}
