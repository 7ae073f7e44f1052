import { uuidOfHex } from '@agentflow/dialects';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { TestApi } from './api.js';
import { protobufOf } from './otlp-protobuf.js';

/* OTLP requests to send, and answers to them as an exporter reads them. */

type Members = Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any -- any request that a test makes

export type Encoding = 'json' | 'protobuf';
export const ENCODINGS: readonly Encoding[] = ['json', 'protobuf'];
export const MEDIA_TYPES = { json: 'application/json', protobuf: 'application/x-protobuf' } as const;

export const aTraceId = (): string => randomBytes(16).toString('hex');
export const aSpanId = (): string => randomBytes(8).toString('hex');
export const runIdOf = uuidOfHex;

const MORNING = BigInt(Date.UTC(2026, 1, 3, 8)) * 1_000_000n;
/** So many milliseconds after the morning of a test's own day. */
export const nanos = (ms: number): string => String(MORNING + BigInt(ms) * 1_000_000n);

const valueOf = (value: unknown): Members => {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
};
export const attributesOf = (attributes: Record<string, unknown>): Members[] =>
  Object.entries(attributes).map(([key, value]) => ({ key, value: valueOf(value) }));

/** A span of an agent; `attributes` are told in short. */
export function aSpan(
  traceId: string,
  { attributes = {}, more = [], ...members }: Members = {},
): Members & { spanId: string } {
  return {
    traceId,
    spanId: aSpanId(),
    name: 'a span',
    kind: 1,
    startTimeUnixNano: nanos(0),
    endTimeUnixNano: nanos(1_000),
    attributes: [...attributesOf({ 'gen_ai.operation.name': 'invoke_agent', ...attributes }), ...more],
    ...members,
  };
}

/** The root, a model's call and a tool's call of one trace. */
export function aTrace(traceId: string = aTraceId()): (Members & { spanId: string })[] {
  const root = aSpan(traceId, { name: 'root', attributes: { 'gen_ai.agent.name': 'traced' } });
  const below = { traceId, parentSpanId: root.spanId };
  const chat = {
    ...{ 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': 'm', 'gen_ai.provider.name': 'p' },
    ...{ 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 7, 'gen_ai.request.temperature': 0.5 },
  };
  const tool = {
    ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'search' },
    ...{ 'gen_ai.tool.call.arguments': '{"q":1}', 'gen_ai.tool.call.result': '["found"]' },
  };
  return [
    root,
    aSpan(traceId, { ...below, name: 'chat m', startTimeUnixNano: nanos(100), attributes: chat }),
    aSpan(traceId, { ...below, name: 'search', startTimeUnixNano: nanos(200), attributes: tool }),
  ];
}

/** A request with these spans. */
export const requestOf = (spans: readonly Members[]): Members => ({
  resourceSpans: [
    {
      resource: { attributes: attributesOf({ 'service.name': 'tests' }) },
      scopeSpans: [{ scope: { name: 'tests', version: '1' }, spans }],
    },
  ],
});

export interface OtlpAnswer {
  status: number;
  mediaType: string;
  retryAfter: string | null;
  /** Of a success. */
  rejected: number;
  message: string;
  /** Of a refusal: the code of a `google.rpc.Status`. */
  code: number;
  body: Buffer;
}

export interface Export {
  encoding?: Encoding;
  path?: string;
  key?: string | undefined;
  gzip?: boolean;
  headers?: Record<string, string>;
}

/** Sends a request as it is, or spans, in whatever encoding, and reads the answer. */
export async function exportTo(
  { url, adminKey }: Pick<TestApi, 'url' | 'adminKey'>,
  what: readonly Members[] | Buffer | string,
  { encoding = 'json', path = '/v1/traces', gzip = false, headers = {}, ...rest }: Export = {},
): Promise<OtlpAnswer> {
  const key = 'key' in rest ? rest.key : adminKey;
  const body = bytesOf(what, encoding);
  const response = await fetch(url + path, {
    method: 'POST',
    headers: {
      'content-type': MEDIA_TYPES[encoding],
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(gzip ? { 'content-encoding': 'gzip' } : {}),
      ...headers,
    },
    body: gzip ? gzipSync(body) : body,
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const mediaType = response.headers.get('content-type') ?? '';
  const { status } = response;
  const read = mediaType.startsWith(MEDIA_TYPES.protobuf)
    ? readProtobuf(bytes, status)
    : readJson(bytes, status);
  return { status, mediaType, retryAfter: response.headers.get('retry-after'), body: bytes, ...read };
}

function bytesOf(what: readonly Members[] | Buffer | string, encoding: Encoding): Buffer {
  if (Buffer.isBuffer(what)) return what;
  if (typeof what === 'string') return Buffer.from(what);
  return encoding === 'json' ? Buffer.from(JSON.stringify(requestOf(what))) : protobufOf(requestOf(what));
}

type Read = Pick<OtlpAnswer, 'rejected' | 'message' | 'code'>;

function readJson(bytes: Buffer, status: number): Read {
  const body = JSON.parse(bytes.toString());
  if (status !== 200) return { rejected: 0, message: body.message, code: body.code };
  const { rejectedSpans = '0', errorMessage = '' } = body.partialSuccess ?? {};
  return { rejected: Number(rejectedSpans), message: errorMessage, code: 0 };
}

/** Both messages have a number in field 1 and a text in field 2; that of a success is one level further in. */
function readProtobuf(bytes: Buffer, status: number): Read {
  const outer = fieldsOf(bytes);
  const fields = status === 200 ? fieldsOf((outer.get(1) as Buffer | undefined) ?? Buffer.alloc(0)) : outer;
  const number = Number(fields.get(1) ?? 0);
  const message = fields.get(2)?.toString() ?? '';
  return status === 200 ? { rejected: number, message, code: 0 } : { rejected: 0, message, code: number };
}

function fieldsOf(bytes: Buffer): Map<number, Buffer | number> {
  const fields = new Map<number, Buffer | number>();
  let at = 0;
  const varint = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = bytes.readUInt8(at++);
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    if ((tag & 7) === 0) fields.set(tag >> 3, varint());
    else {
      const length = varint();
      fields.set(tag >> 3, bytes.subarray(at, (at += length)));
    }
  }
  return fields;
}
