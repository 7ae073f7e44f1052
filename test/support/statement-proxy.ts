import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface StatementProxy {
  /** The way to the same database through the proxy. */
  readonly url: string;
  /** The statements that went through so far. */
  statements(): number;
  close(): Promise<void>;
}

/**
 * Stands between a client and Postgres and counts statements; `onStatement` hears of each as soon as it is on its
 * way to the server, so that a test can act exactly there.
 */
export async function aStatementProxy(
  databaseUrl: string,
  onStatement: (count: number) => void = () => undefined,
): Promise<StatementProxy> {
  let count = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection(addressOf(databaseUrl));
    const messages = new Messages();
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    upstream.on('data', (bytes) => client.write(bytes));
    client.on('data', (bytes) => {
      upstream.write(bytes);
      for (const type of messages.of(bytes)) if (STATEMENTS.has(type)) onStatement(++count);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    statements: () => count,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Query and Execute: each is answered by one result. */
const STATEMENTS = new Set(['Q', 'E']);

/** The types of the messages in what a client sends; only its first message has none. */
class Messages {
  private pending = Buffer.alloc(0);
  private started = false;

  *of(bytes: Buffer): Generator<string> {
    this.pending = Buffer.concat([this.pending, bytes]);
    for (;;) {
      const head = this.started ? 1 : 0;
      if (this.pending.length < head + 4) return;
      const end = head + this.pending.readInt32BE(head);
      if (this.pending.length < end) return;
      if (this.started) yield String.fromCharCode(this.pending[0] as number);
      this.started = true;
      this.pending = this.pending.subarray(end);
    }
  }
}

/** A host that is a path is the directory of a Unix socket. */
export function addressOf(databaseUrl: string): { path: string } | { host: string; port: number } {
  const { hostname, port } = new URL(databaseUrl);
  const host = decodeURIComponent(hostname);
  return host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${port || 5432}` }
    : { host, port: Number(port || 5432) };
}
