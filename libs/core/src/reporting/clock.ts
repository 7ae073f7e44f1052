import { sql, type Transaction } from '@agentflow/database';

const transactionClock = sql<{ now: string }>('transaction-clock', 'SELECT now() AS now');

/** The database's clock, for writers that hold no run: the moment of this transaction. */
export async function clock(tx: Transaction): Promise<string> {
  return ((await tx.row(transactionClock)) as { now: string }).now;
}
