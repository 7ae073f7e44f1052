import type { ReportDialect } from '@agentflow/core';
import {
  mapLangfuse,
  mapLangsmith,
  mapOpenai,
  mapTrace,
  packLangfuse,
  packLangsmith,
  packOpenai,
  packSpans,
  runIdOfLangfuse,
  runIdOfLangsmith,
  runIdOfOpenai,
  runIdOfTrace,
  unpackLangfuse,
  unpackLangsmith,
  unpackOpenai,
  unpackSpans,
  type MappedRun,
} from '@agentflow/dialects';

/** How the records of another reporter are told apart, kept, and turned into items. */
interface Speech<R> {
  /** The run that a record belongs to. */
  runIdOf(record: R): string;
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

export const OTLP = spoken('otlp', 1, {
  runIdOf: runIdOfTrace,
  map: (spans) => mapTrace(spans),
  pack: packSpans,
  unpack: unpackSpans,
});

export const LANGSMITH = spoken('langsmith', 1, {
  runIdOf: runIdOfLangsmith,
  map: mapLangsmith,
  pack: packLangsmith,
  unpack: unpackLangsmith,
});

/** The batches of clients before version 3; the present ones report in OTLP. */
export const LANGFUSE = spoken('langfuse', 1, {
  runIdOf: runIdOfLangfuse,
  map: mapLangfuse,
  pack: packLangfuse,
  unpack: unpackLangfuse,
});

export const OPENAI_AGENTS = spoken('openai-agents', 1, {
  runIdOf: runIdOfOpenai,
  map: mapOpenai,
  pack: packOpenai,
  unpack: unpackOpenai,
});
