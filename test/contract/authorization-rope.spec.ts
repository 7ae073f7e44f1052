import { tellMatrix } from '../support/matrix/tell-matrix.js';

/**
 * Row security is the net; the rope is the `WHERE` of every statement. Here the net is taken away, and the matrix has
 * to hold all the same. That the net holds without the rope is the subject of `schema-scopes.spec.ts`.
 */
await tellMatrix(async (superuser) => {
  const { rows } = await superuser.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relrowsecurity`,
  );
  for (const { name } of rows) await superuser.query(`ALTER TABLE ${name} DISABLE ROW LEVEL SECURITY`);
});
