import type { ExecutionTale, RunEventRow } from '@agentflow/core';
import { encodeJson } from '@agentflow/domain';

/**
 * An event of the log as a frame of a stream, as clients see it. Written out, since no word in it needs an escape and only its data
 * may hold a line break: `encodeJson` and a look through all of it took twice as long.
 */
export function frameOf(
  id: string | number,
  runId: string,
  { seq, type, at, entity_id, data }: RunEventRow,
): string {
  const entity = entity_id === null ? 'null' : `"${entity_id}"`;
  const told = data === null ? 'null' : inOneLine(data.text);
  return frame(
    id,
    type,
    `{"run_id":"${runId}","seq":${seq},"type":"${type}","at":"${at}","entity_id":${entity},"data":${told}}`,
  );
}

/** Execution events as frames of a stream. Where they say less than the log, its number comes without an event. */
export function taleFrames({ seq, events }: ExecutionTale): string {
  const frames = events.map((event) => frame(event.seq, event.type, inOneLine(encodeJson(event))));
  return frames.join('') + (events.at(-1)?.seq === seq ? '' : placeFrame(seq));
}

/** A frame without an event: whoever comes again goes on behind this id. */
export function placeFrame(id: string | number): string {
  return `id: ${id}\n\n`;
}

/** A frame that leaves whoever comes again where he was. */
export function frameWithoutId(type: string, json: string): string {
  return unnumbered(type, inOneLine(json));
}

function frame(id: string | number, type: string, line: string): string {
  return `id: ${id}\n${unnumbered(type, line)}`;
}

function unnumbered(type: string, line: string): string {
  return `event: ${type}\ndata: ${line}\n\n`;
}

/** JSON has line breaks only between its values, and there a space means the same, so nothing in it ends its line. */
function inOneLine(json: string): string {
  return json.replace(/[\r\n]/g, ' ');
}
