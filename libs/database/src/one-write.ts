import type { Writable } from 'node:stream';
import type { PoolClient } from 'pg';

/**
 * What is sent on this connection in one turn of the event loop travels in one write. Each write
 * wakes the server's process, which cost more than most statements themselves.
 */
export function inOneWrite(client: PoolClient): void {
  const { stream } = (client as PoolClient & { connection: { stream: Writable } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  setImmediate(() => stream.uncork());
}
