import type { ClientBase, DatabaseError } from 'pg';

/** What became of a statement: the rows that it reached, or how it was refused. */
export type Outcome = { rows: number } | { code: string | undefined; message: string };

/** Runs one statement within an open transaction, which goes on whatever happens; `undo` takes its effect back. */
export async function attempt(
  client: ClientBase,
  text: string,
  values: unknown[] = [],
  undo = false,
): Promise<Outcome> {
  await client.query('SAVEPOINT attempt');
  try {
    const { rowCount } = await client.query(text, values);
    if (undo) await client.query('ROLLBACK TO SAVEPOINT attempt');
    return { rows: rowCount ?? 0 };
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT attempt');
    const { code, message } = error as DatabaseError;
    return { code, message };
  }
}
