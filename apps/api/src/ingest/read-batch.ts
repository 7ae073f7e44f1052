import type { Limits } from '@agentflow/core';
import {
  DomainError,
  decodeUtf8,
  readEnvelopeLines,
  readEnvelopeList,
  type ItemReading,
} from '@agentflow/domain';
import { inflated } from '../http/inflate.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { ITEM_SHAPE } from './item-reader.js';

const JSON_LIST = /^application\/json(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i;
const LINES = /^application\/(?:x-)?ndjson(?:\s*;\s*charset=(?:utf-8|"utf-8"))?\s*$/i;

/** The items of a batch, each read by itself, from a JSON array or from lines; gzip or plain. */
export async function readBatch(
  body: ReceivedBody | undefined,
  { batchBytes, batchItems, payloadBytes, payloadDepth }: Limits,
): Promise<readonly ItemReading[]> {
  if (!body) throw malformed('The body is empty.');
  const read = readerOf(body.mediaType);
  const text = decodeUtf8(await inflated(body, batchBytes));
  if (text === undefined) throw malformed('The body is not UTF-8.');
  const reading = read(text, ITEM_SHAPE, { depth: payloadDepth, payloadBytes, items: batchItems });
  if (reading.ok) return reading.items;
  const { kind, pointer, detail } = reading.fault;
  throw new DomainError(kind === 'too_large' ? 'request_too_large' : 'malformed_json', {
    faults: [{ pointer, detail }],
  });
}

function readerOf(mediaType = ''): typeof readEnvelopeList {
  if (JSON_LIST.test(mediaType)) return readEnvelopeList;
  if (LINES.test(mediaType)) return readEnvelopeLines;
  throw new DomainError('unsupported_media_type', {
    detail: 'Send Content-Type: application/json with an array, or application/x-ndjson.',
  });
}

function malformed(detail: string): DomainError {
  return new DomainError('malformed_json', { faults: [{ pointer: '', detail }] });
}
