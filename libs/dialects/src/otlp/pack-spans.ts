import { decodeJsonLogs } from './decode-json-logs.js';
import { decodeJsonTraces } from './decode-json.js';
import { decodeProtobufLogs } from './decode-protobuf-logs.js';
import { decodeProtobufTraces } from './decode-protobuf.js';
import { groupOfLog, groupOfSpan } from './encode-json.js';
import { encodeRequest } from './encode-request.js';
import type { LogRecord } from './log-record.js';
import { sourceOf } from './record-source.js';
import type { Span } from './span.js';

/*
 * Spans and log records that are kept until more of their trace arrives: a request in OTLP again. Protobuf begins with
 * the tag of its first field, JSON with a brace, so the first byte tells them apart; no bytes are no records.
 */

/** The spans as bytes. What came in protobuf stays in the bytes that it came in, as long as all of them did. */
export function packSpans(spans: readonly Span[]): Uint8Array {
  return encoded(spans) ?? inJson({ resourceSpans: spans.map(groupOfSpan) });
}

/** The same spans again, in the same order. Throws on bytes that are none of `packSpans`. */
export function unpackSpans(bytes: Uint8Array): Span[] {
  const reading = isJson(bytes) ? decodeJsonTraces(textOf(bytes)) : decodeProtobufTraces(bufferOf(bytes));
  if (reading.ok && reading.rejected.length === 0) return reading.spans;
  throw new RangeError(`not packed spans: ${reading.ok ? reading.rejected[0] : reading.detail}`);
}

/** The log records as bytes. */
export function packLogs(records: readonly LogRecord[]): Uint8Array {
  return encoded(records) ?? inJson({ resourceLogs: records.map(groupOfLog) });
}

/** The same log records again, in the same order. Throws on bytes that are none of `packLogs`. */
export function unpackLogs(bytes: Uint8Array): LogRecord[] {
  const reading = isJson(bytes) ? decodeJsonLogs(textOf(bytes)) : decodeProtobufLogs(bufferOf(bytes));
  if (reading.ok && reading.rejected.length === 0) return reading.records;
  throw new RangeError(`not packed log records: ${reading.ok ? reading.rejected[0] : reading.detail}`);
}

function encoded(records: readonly object[]): Uint8Array | undefined {
  const sources = records.map(sourceOf).filter((source) => source !== undefined);
  return sources.length === records.length ? encodeRequest(sources) : undefined;
}

function inJson(request: object): Uint8Array {
  return Buffer.from(JSON.stringify(request));
}

function isJson(bytes: Uint8Array): boolean {
  return bytes[0] === '{'.charCodeAt(0);
}

function textOf(bytes: Uint8Array): string {
  return bufferOf(bytes).toString('utf8');
}

/** A view of the bytes, no copy. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
