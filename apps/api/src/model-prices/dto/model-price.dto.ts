import { Money, Text, Timestamp } from '../../http/field-kinds.js';

const UNIT = 'US dollars per million tokens, at most 10 decimals, as a number or as text';

export class CreateModelPriceDto {
  @Text({ max: 256, min: 1, description: 'The model, exactly as steps name it.', example: 'gpt-4o-mini' })
  model: string;

  @Text({
    max: 256,
    min: 1,
    optional: true,
    nullable: true,
    description: 'The provider, exactly as steps name it. Without one the price is for every provider.',
  })
  provider?: string | null;

  @Money({ description: `Tokens that go in: ${UNIT}.` })
  input: string;

  @Money({ description: `Tokens that come out: ${UNIT}.` })
  output: string;

  @Money({
    optional: true,
    nullable: true,
    description: `Tokens that are read from a cache: ${UNIT}. They cost as much as the others if it is left out.`,
  })
  cache_read?: string | null;

  @Money({
    optional: true,
    nullable: true,
    description: `Tokens that are written to a cache: ${UNIT}. They cost as much as the others if it is left out.`,
  })
  cache_write?: string | null;

  @Timestamp({
    optional: true,
    nullable: true,
    description:
      'Steps that started from then on cost this much, until a later price begins. Without it the price was valid always.',
  })
  valid_from?: string | null;
}
