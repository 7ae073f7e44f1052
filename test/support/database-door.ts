import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';
import { addressOf } from './statement-proxy.js';
import type { TestDatabase } from './database.js';

/** A way to a database that a test can close: at once, or by silence. */
export interface DatabaseDoor {
  /** The same database, reached through the door. */
  readonly database: TestDatabase;
  /** Lets everything through again. */
  open(): void;
  /** Cuts what is connected, and refuses what comes. */
  shut(): void;
  /** Takes everything and answers nothing, as a network does that lost the other side. */
  silence(): void;
  close(): Promise<void>;
}

export async function aDatabaseDoor(database: TestDatabase): Promise<DatabaseDoor> {
  let state: 'open' | 'shut' | 'silent' = 'open';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    return socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'shut') return void client.destroy();
    const upstream = keep(createConnection(addressOf(database.appUrl)));
    client
      .on('data', (bytes) => state === 'open' && upstream.write(bytes))
      .on('close', () => upstream.destroy());
    upstream
      .on('data', (bytes) => state === 'open' && client.write(bytes))
      .on('close', () => client.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(database.appUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url.search = '';
  const cut = (): void => sockets.forEach((socket) => socket.destroy());
  return {
    database: { ...database, appUrl: url.href },
    open: () => (state = 'open'),
    shut: () => {
      state = 'shut';
      cut();
    },
    silence: () => (state = 'silent'),
    close: async () => {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
