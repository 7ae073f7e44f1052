import { once } from 'node:events';

/** Ends the cluster that `start-postgres.ts` started, and waits until its files are gone. */
export default async function stopPostgres(): Promise<void> {
  const holder = globalThis.postgresHolder;
  if (!holder || holder.exitCode !== null) return;
  const ended = once(holder, 'exit');
  holder.stdin?.end();
  await ended;
  if (holder.exitCode !== 0) throw new Error('the tests left a Postgres behind; the reason stands above');
}
