import type { ReportDialect } from '@agentflow/core';
import {
  mapLangsmith,
  mapOpenai,
  mapTrace,
  unpackLangsmith,
  unpackOpenai,
  unpackSpans,
} from '@agentflow/dialects';

/* The dialects by name, with the version of each mapping: it rises whenever the same records come to other items. */

export const OTLP: ReportDialect = {
  name: 'otlp',
  version: 1,
  map: (bodies) => mapTrace(bodies.flatMap(unpackSpans)),
};

export const LANGSMITH: ReportDialect = {
  name: 'langsmith',
  version: 1,
  map: (bodies) => mapLangsmith(bodies.flatMap(unpackLangsmith)),
};

export const OPENAI_AGENTS: ReportDialect = {
  name: 'openai-agents',
  version: 1,
  map: (bodies) => mapOpenai(bodies.flatMap(unpackOpenai)),
};

export const DIALECTS: readonly ReportDialect[] = [OTLP, LANGSMITH, OPENAI_AGENTS];
