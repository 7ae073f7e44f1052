import { sql, type Transaction } from '@agentflow/database';

const set = sql<never>('set-savepoint', 'SAVEPOINT before_work');
const rollBack = sql<never>('roll-back-to-savepoint', 'ROLLBACK TO SAVEPOINT before_work');
const release = sql<never>('release-savepoint', 'RELEASE SAVEPOINT before_work');

/** Carries a part of a transaction out; when it fails, nothing of it is left, and the transaction goes on. */
export async function attempted<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.run(set);
  try {
    const result = await work();
    await tx.run(release);
    return result;
  } catch (error) {
    await tx.run(rollBack);
    throw error;
  }
}

/** Carries a part of a transaction out for its answer, and undoes what it did. */
export async function undone<T>(tx: Transaction, work: () => Promise<T>): Promise<T> {
  await tx.run(set);
  try {
    return await work();
  } finally {
    await tx.run(rollBack);
  }
}
