import type { ReportDialect } from '@agentflow/core';
import {
  mapLangfuse,
  mapLangsmith,
  mapOpenai,
  mapTrace,
  packLangfuse,
  packLangsmith,
  packLogs,
  packOpenai,
  packSpans,
  runIdOfLangfuse,
  subjectOfLangfuse,
  runIdOfLangsmith,
  subjectOfLangsmith,
  runIdOfOpenai,
  subjectOfOpenai,
  runIdOfTrace,
  subjectOfSpan,
  unpackLangfuse,
  unpackLangsmith,
  unpackLogs,
  unpackOpenai,
  unpackSpans,
  type LogRecord,
  type MappedRun,
  type Span,
  type Subject,
} from '@agentflow/dialects';

/** How the records of another reporter are told apart, kept, and turned into items. */
interface Speech<R> {
  /** The run that a record belongs to. */
  runIdOf(record: R): string;
  /** What it speaks of. */
  subjectOf(record: R): Subject;
  /** Of one run, as far as its records are known. */
  map(records: readonly R[]): MappedRun;
  pack(records: readonly R[]): Uint8Array;
  unpack(bytes: Uint8Array): R[];
}

export interface SpokenDialect<R> extends ReportDialect {
  readonly speech: Speech<R>;
}

/** The version rises whenever the same records come to other items: what was received before can then be mapped again. */
function spoken<R>(name: string, version: number, speech: Speech<R>): SpokenDialect<R> {
  return {
    name,
    version,
    speech,
    map: (bodies) => speech.map(bodies.flatMap((body) => speech.unpack(body))),
  };
}

/** A span, or something that was logged within one. */
export type OtlpRecord = { span: Span } | { log: LogRecord };

/** Tells the two kinds of packed records apart, by the first byte. */
const PACKED_SPANS = 1;
const PACKED_LOGS = 2;

const spansIn = (records: readonly OtlpRecord[]): Span[] =>
  records.flatMap((record) => ('span' in record ? [record.span] : []));
const logsIn = (records: readonly OtlpRecord[]): LogRecord[] =>
  records.flatMap((record) => ('log' in record ? [record.log] : []));

/** One request exports one signal, so the records of a report are all spans or all logs. */
export const OTLP = spoken<OtlpRecord>('otlp', 3, {
  runIdOf: (record) => runIdOfTrace('span' in record ? record.span : record.log),
  subjectOf: (record) =>
    'span' in record ? subjectOfSpan(record.span) : { speaksOfRun: false, about: record.log.spanId },
  map: (records) => {
    const [spans, logs] = [spansIn(records), logsIn(records)];
    const [first] = logs;
    // Logs that come before their spans wait for them.
    if (spans.length === 0 && first) return { runId: runIdOfTrace(first), items: [], refused: [] };
    return mapTrace(spans, logs);
  },
  pack: (records) => {
    const spans = spansIn(records);
    const [kind, packed] =
      spans.length > 0 ? [PACKED_SPANS, packSpans(spans)] : [PACKED_LOGS, packLogs(logsIn(records))];
    return Buffer.concat([Buffer.from([kind]), packed]);
  },
  unpack: (bytes) =>
    bytes[0] === PACKED_SPANS
      ? unpackSpans(bytes.subarray(1)).map((span) => ({ span }))
      : unpackLogs(bytes.subarray(1)).map((log) => ({ log })),
});

export const LANGSMITH = spoken('langsmith', 2, {
  runIdOf: runIdOfLangsmith,
  subjectOf: subjectOfLangsmith,
  map: mapLangsmith,
  pack: packLangsmith,
  unpack: unpackLangsmith,
});

/** The batches of clients before version 3; the present ones report in OTLP. */
export const LANGFUSE = spoken('langfuse', 3, {
  runIdOf: runIdOfLangfuse,
  subjectOf: subjectOfLangfuse,
  map: mapLangfuse,
  pack: packLangfuse,
  unpack: unpackLangfuse,
});

export const OPENAI_AGENTS = spoken('openai-agents', 2, {
  runIdOf: runIdOfOpenai,
  subjectOf: subjectOfOpenai,
  map: mapOpenai,
  pack: packOpenai,
  unpack: unpackOpenai,
});

/** All of them, for mapping again what was received. */
export const DIALECTS: readonly ReportDialect[] = [OTLP, LANGSMITH, LANGFUSE, OPENAI_AGENTS];
