import { INGEST_VERDICTS, PROBLEMS, type IngestVerdict } from '@agentflow/contracts';
import type { Verdict } from '@agentflow/core';
import { Choice, Integer, ListOf, Nested, Text } from '../../http/field-kinds.js';

const COUNT = { min: 0, max: Number.MAX_SAFE_INTEGER };

export class VerdictResponse {
  @Choice({
    of: INGEST_VERDICTS,
    description: 'What became of the item. `created`, `updated` and `duplicate` are kept.',
  })
  verdict: IngestVerdict;

  @Choice({
    of: Object.keys(PROBLEMS),
    optional: true,
    description: 'Why it was rejected: the code of a problem.',
  })
  code?: string;

  @Text({
    max: 8_192,
    optional: true,
    description: 'Where the fault lies: an RFC 6901 pointer into the item.',
  })
  pointer?: string;

  @Text({ max: 8_192, optional: true, description: 'What is wrong, in a sentence.' })
  detail?: string;
}

export class IngestCountsResponse {
  @Integer({ ...COUNT, description: 'Items that made something.' })
  created: number;

  @Integer({ ...COUNT, description: 'Items that changed something.' })
  updated: number;

  @Integer({ ...COUNT, description: 'Items that said nothing new.' })
  duplicate: number;

  @Integer({ ...COUNT, description: 'Items that were not kept.' })
  rejected: number;
}

export class IngestResponse {
  @ListOf(() => VerdictResponse, { description: 'One verdict for each item, in the order of the items.' })
  results: VerdictResponse[];

  @Nested(() => IngestCountsResponse, { description: 'How many of each.' })
  counts: IngestCountsResponse;

  static of(results: Verdict[]): IngestResponse {
    const counts: IngestCountsResponse = { created: 0, updated: 0, duplicate: 0, rejected: 0 };
    for (const { verdict } of results) counts[verdict]++;
    return { results, counts };
  }
}
