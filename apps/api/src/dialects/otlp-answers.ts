/** How a request of OTLP was encoded, and its answer has to be. */
export type OtlpEncoding = 'json' | 'protobuf';

export const OTLP_MEDIA_TYPES: Readonly<Record<OtlpEncoding, string>> = {
  json: 'application/json',
  protobuf: 'application/x-protobuf',
};

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;
const PROTOBUF_TYPE = /^application\/(?:x-)?protobuf\s*(?:;|$)/i;

/** The encoding that a media type names. */
export function otlpEncodingOf(mediaType: string | undefined): OtlpEncoding | undefined {
  if (JSON_TYPE.test(mediaType ?? '')) return 'json';
  return PROTOBUF_TYPE.test(mediaType ?? '') ? 'protobuf' : undefined;
}

/** What was not taken over of a request that was; with no rejected records, a warning only. */
export interface PartialSuccess {
  rejected: number;
  message: string;
}

/** What the members of a partial success are called, by the signal. */
const REJECTED = {
  traces: 'rejectedSpans',
  logs: 'rejectedLogRecords',
  metrics: 'rejectedDataPoints',
} as const;
export type Signal = keyof typeof REJECTED;

/** An `Export…ServiceResponse`: empty when all is well. */
export function exportResponse(
  encoding: OtlpEncoding,
  signal: Signal,
  partial: PartialSuccess | undefined,
): Buffer {
  if (encoding === 'protobuf') {
    if (!partial) return Buffer.alloc(0);
    const inner = [
      ...(partial.rejected > 0 ? [integerField(1, partial.rejected)] : []),
      textField(2, partial.message),
    ];
    return field(1, Buffer.concat(inner));
  }
  if (!partial) return Buffer.from('{}');
  const { rejected, message } = partial;
  const members = {
    ...(rejected > 0 ? { [REJECTED[signal]]: String(rejected) } : {}),
    errorMessage: message,
  };
  return Buffer.from(JSON.stringify({ partialSuccess: members }));
}

/** The codes of gRPC that stand for a status of HTTP. */
const RPC_CODES: Readonly<Record<number, number>> = {
  400: 3,
  401: 16,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  409: 10,
  413: 8,
  415: 3,
  429: 8,
  503: 14,
};
const INTERNAL = 13;

/** A `google.rpc.Status`, as OTLP wants every refusal to be. */
export function rpcStatus(encoding: OtlpEncoding, status: number, message: string): Buffer {
  const code = RPC_CODES[status] ?? INTERNAL;
  return encoding === 'protobuf'
    ? Buffer.concat([integerField(1, code), textField(2, message)])
    : Buffer.from(JSON.stringify({ code, message }));
}

function textField(number: number, text: string): Buffer {
  return field(number, Buffer.from(text));
}

function field(number: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(number << 3) | 2, ...varint(content.length)]), content]);
}

function integerField(number: number, value: number): Buffer {
  return Buffer.from([number << 3, ...varint(value)]);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
