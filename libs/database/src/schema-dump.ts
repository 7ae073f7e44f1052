import type { ClientBase } from 'pg';
import {
  FOREIGN_KEYS,
  FUNCTIONS,
  GRANTS,
  INDEXES,
  POLICIES,
  ROW_SECURITY,
  TABLES,
  TRIGGERS,
  UNKNOWN_OBJECTS,
  VIEWS,
} from './schema-dump-queries.js';

const HEADER = `-- The schema after all migrations. Written by "npm run schema"; a test compares it with what migrations make.
-- It can be loaded into an empty database, as agentflow_owner, where the roles exist.

SET check_function_bodies = false;
SET search_path = public;
`;

/**
 * The whole of schema `public` as SQL, from the catalogue: the same text for the same schema, in whatever order it
 * came about and on every supported version of Postgres. `pg_dump` is not at hand where the embedded server runs.
 *
 * Throws on kinds of objects that it has not learned to write, so that none is left out in silence.
 */
export async function dumpSchema(client: ClientBase): Promise<string> {
  await client.query('BEGIN READ ONLY');
  try {
    // What is in the path is written without its schema.
    await client.query('SET LOCAL search_path = public');
    const lines = async (text: string): Promise<string[]> =>
      (await client.query<{ line: string }>(text)).rows.map(({ line }) => line);
    const unknown = await lines(UNKNOWN_OBJECTS);
    if (unknown.length > 0) throw new Error(`the schema dump cannot write: ${unknown.join(', ')}`);
    const parts = [HEADER];
    for (const { spaced, query } of SECTIONS) {
      const section = await lines(query);
      if (section.length > 0) parts.push(section.join(spaced ? '\n\n' : '\n') + '\n');
    }
    return parts.join('\n');
  } finally {
    await client.query('ROLLBACK');
  }
}

/** Ordered so that everything exists before it is mentioned; function bodies are not looked into. */
const SECTIONS = [
  { query: FUNCTIONS, spaced: true },
  { query: TABLES, spaced: true },
  { query: INDEXES, spaced: false },
  { query: FOREIGN_KEYS, spaced: false },
  { query: VIEWS, spaced: true },
  { query: TRIGGERS, spaced: false },
  { query: ROW_SECURITY, spaced: false },
  { query: POLICIES, spaced: true },
  { query: GRANTS, spaced: false },
];
