import type { ModelPriceRow } from '@agentflow/core';
import { plainDecimal } from '@agentflow/domain';
import { Id, ListOf, MoneyText, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

export class ModelPriceResponse {
  @Id({ description: 'The price.' })
  id: string;

  @Text({ max: 256, description: 'The model that it is for.' })
  model: string;

  @Text({ max: 256, nullable: true, description: 'The provider that it is for; `null` for every provider.' })
  provider: string | null;

  @MoneyText({ description: 'US dollars per million tokens that go in.' })
  input: string;

  @MoneyText({ description: 'US dollars per million tokens that come out.' })
  output: string;

  @MoneyText({ nullable: true, description: 'Per million tokens from a cache; `null`: as the others.' })
  cache_read: string | null;

  @MoneyText({ nullable: true, description: 'Per million tokens into a cache; `null`: as the others.' })
  cache_write: string | null;

  @Timestamp({ nullable: true, description: 'When it begins to be valid; `null` if it was valid always.' })
  valid_from: string | null;

  @Timestamp({ description: 'When it was created.' })
  created_at: string;

  static of({ input, output, cache_read, cache_write, ...row }: ModelPriceRow): ModelPriceResponse {
    return {
      ...row,
      input: plainDecimal(input),
      output: plainDecimal(output),
      cache_read: cache_read === null ? null : plainDecimal(cache_read),
      cache_write: cache_write === null ? null : plainDecimal(cache_write),
    };
  }
}

export class ModelPricePage {
  @ListOf(() => ModelPriceResponse, { description: 'Newest first.' })
  data: ModelPriceResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<ModelPriceRow>): ModelPricePage {
    return { data: rows.map((row) => ModelPriceResponse.of(row)), next_cursor: nextCursor };
  }
}
