import { RawJson, fromPostgres } from '@agentflow/domain';
import pg from 'pg';

const { builtins, getTypeParser } = pg.types;

/**
 * How columns become values. Payloads stay text (`json` and `jsonb` are never parsed on the way out), times keep
 * their microseconds as canonical text, and 64-bit integers are numbers: what is stored in them stays below 2^53.
 */
const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.JSON, (text) => RawJson.trusted(text)],
  [builtins.JSONB, (text) => RawJson.trusted(text)],
  [builtins.TIMESTAMPTZ, fromPostgres],
  [builtins.INT8, Number],
]);

/** The `types` option of every connection that the product opens. */
export const columnTypes = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
    const own = format === 'binary' ? undefined : PARSERS.get(oid);
    return own ?? (getTypeParser(oid, format as 'text') as (text: string) => unknown);
  },
};
