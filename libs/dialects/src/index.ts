export { decodeJsonTraces } from './otlp/decode-json.js';
export { decodeProtobufTraces } from './otlp/decode-protobuf.js';
export type { Attributes, AttributeValue, Span, SpanEvent, TracesReading } from './otlp/span.js';
