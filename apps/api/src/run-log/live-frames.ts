import { DomainError, encodeJson } from '@agentflow/domain';
import type { LiveItemDto } from './dto/post-live.dto.js';
import { frameWithoutId } from './event-frame.js';

/** What one request says to everybody who follows the run, at most. */
const MOST_BYTES = 256 * 1024;

/** Items as frames of a stream, in their order. They have no id, so that nobody comes again by one. */
export function liveFrames(run_id: string, items: readonly LiveItemDto[]): string {
  const frames = items.map(({ type, text, step_id, message_id, level, data }) =>
    frameWithoutId(type, encodeJson({ run_id, type, text, step_id, message_id, level, data })),
  );
  const all = frames.join('');
  const bytes = Buffer.byteLength(all);
  if (bytes <= MOST_BYTES) return all;
  const detail = `say ${bytes} bytes; ${MOST_BYTES} are allowed at once`;
  throw new DomainError('invalid_request', { faults: [{ pointer: '/items', detail }] });
}
