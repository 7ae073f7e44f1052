import type { Limits } from '@agentflow/core';
import { decodingLimitsFor, type DecodingLimits, type Refusal, type Unread } from '@agentflow/dialects';
import { DomainError, decodeUtf8, type JsonLimits } from '@agentflow/domain';
import { inflated } from '../http/inflate.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';

/** The bounds of what a report may hold. */
export const jsonLimitsOf = ({ payloadBytes, payloadDepth, batchItems }: Limits): JsonLimits => ({
  depth: payloadDepth,
  payloadBytes,
  items: batchItems,
});

/** A request of OTLP may hold several times as many spans as a batch has items: most spans of other things are left out. */
export const decodingLimitsOf = ({ batchItems }: Limits): DecodingLimits => decodingLimitsFor(batchItems * 4);

/** The body, inflated. No body at all is an empty one. */
export async function bytesIn(body: ReceivedBody | undefined, { batchBytes }: Limits): Promise<Buffer> {
  return body ? inflated(body, batchBytes) : Buffer.alloc(0);
}

/** The body as text. */
export async function textIn(body: ReceivedBody | undefined, limits: Limits): Promise<string> {
  const text = decodeUtf8(await bytesIn(body, limits));
  if (text === undefined) throw malformed('The body is not UTF-8.');
  return text;
}

function malformed(detail: string): DomainError {
  return new DomainError('malformed_json', { faults: [{ pointer: '', detail }] });
}

/** What was read; a body that cannot be read at all, or holds too much, is refused. */
export function readable<Reading extends { ok: true }>(reading: Reading | Unread): Reading {
  if (reading.ok) return reading;
  const { isTooLarge = false, detail } = reading;
  throw isTooLarge
    ? new DomainError('request_too_large', { faults: [{ pointer: '', detail }] })
    : malformed(detail);
}

const MOST_TOLD = 20;

/** What is answered to reporters who do not ask what became of what. */
export function acceptance(records: readonly unknown[], ...refused: readonly Refusal[][]): object {
  return { accepted: records.length, refused: refused.flat().slice(0, MOST_TOLD) };
}
