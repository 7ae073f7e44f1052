export { decodeJsonTraces } from './otlp/decode-json.js';
export { decodeProtobufTraces } from './otlp/decode-protobuf.js';
export type { Attributes, AttributeValue, Span, SpanEvent, TracesReading } from './otlp/span.js';
export { stepKindOf, type StepKind } from './otlp/step-kind.js';
export { usageOf, type Usage } from './otlp/usage.js';
export { adapterOf, namesOf, type SpanNames } from './otlp/span-names.js';
export { decodeJsonLogs } from './otlp/decode-json-logs.js';
export { decodeProtobufLogs } from './otlp/decode-protobuf-logs.js';
export type { LogRecord, LogsReading } from './otlp/log-record.js';
export { packLogs, packSpans, unpackLogs, unpackSpans } from './otlp/pack-spans.js';
export { mapTrace } from './otlp/map-trace.js';
export { runIdOfTrace, subjectOfSpan } from './otlp/run-of-trace.js';
export type { Subject } from './records/subject.js';
export { checkJsonRequest, checkProtobufRequest } from './otlp/check-request.js';
export { decodingLimitsFor, type DecodingLimits } from './otlp/decoding.js';
export type { Item, MappedRun, Refusal, Unread } from './reported-items.js';
export { decodeLangsmithBatch, decodeLangsmithRun } from './langsmith/decode-batch.js';
export { decodeLangsmithMultipart, type LangsmithReading } from './langsmith/decode-multipart.js';
export { mapLangsmith } from './langsmith/map-langsmith.js';
export {
  type LangsmithRecord,
  packLangsmith,
  runIdOfLangsmith,
  subjectOfLangsmith,
  unpackLangsmith,
} from './langsmith/record.js';
export { mapOpenai } from './openai-agents/map-openai.js';
export {
  decodeOpenaiTraces,
  type OpenaiReading,
  type OpenaiRecord,
  packOpenai,
  runIdOfOpenai,
  subjectOfOpenai,
  unpackOpenai,
} from './openai-agents/record.js';
export { mapLangfuse } from './langfuse/map-langfuse.js';
export {
  decodeLangfuseBatch,
  type LangfuseReading,
  type LangfuseRecord,
  packLangfuse,
  runIdOfLangfuse,
  subjectOfLangfuse,
  unpackLangfuse,
} from './langfuse/record.js';
export { uuidOfHex } from './derived-id.js';
