import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import type { TestDatabase } from './database.js';
import { addressOf } from './statement-proxy.js';

/** A way to a database on which the answer to a commit can get lost. */
export interface CommitProxy {
  /** The same database, reached through the proxy. */
  readonly database: TestDatabase;
  /** From the so-many-th commit on, one: the server carries it out, and its client hears nothing but a broken connection. */
  loseAnswer(ofCommit: number): void;
  /** How many answers were lost so far. */
  lost(): number;
  close(): Promise<void>;
}

/** What a server says when it has committed. */
const COMMITTED = Buffer.from('COMMIT\0');

export async function aCommitProxy(database: TestDatabase): Promise<CommitProxy> {
  let until = 0;
  let lost = 0;
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    const upstream = keep(createConnection(addressOf(database.appUrl)));
    client.pipe(upstream);
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    upstream.on('data', (bytes) => {
      if (until > 0 && bytes.includes(COMMITTED) && --until === 0) {
        lost++;
        client.destroy();
      } else client.write(bytes);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.appUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.search = '';
  return {
    database: { ...database, appUrl: url.href },
    loseAnswer: (ofCommit) => (until = ofCommit),
    lost: () => lost,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
