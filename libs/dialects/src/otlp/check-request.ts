import type { Unread } from '../reported-items.js';
import { type DecodingLimits, readOrUnread, Tally, UNLIMITED } from './decoding.js';
import { bodyOf } from './json-values.js';
import { groupsIn } from './protobuf-values.js';

/* Requests of which nothing is taken, such as those for metrics, are looked at as far as their sender can be told of a fault. */

export type CheckedRequest = { ok: true } | Unread;

/** Whether it is an object in JSON. */
export function checkJsonRequest(text: string, limits: DecodingLimits = UNLIMITED): CheckedRequest {
  return readOrUnread(() => {
    bodyOf(text, limits.parts);
    return { ok: true };
  });
}

/** Whether it is a message in protobuf; what stands in its groups is not looked at. */
export function checkProtobufRequest(body: Buffer, limits: DecodingLimits = UNLIMITED): CheckedRequest {
  return readOrUnread(() => {
    groupsIn(body, 1, new Tally(limits));
    return { ok: true };
  });
}
