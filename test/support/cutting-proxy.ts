import { once } from 'node:events';
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface CuttingProxy {
  /** The way to the same server through the proxy. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Stands between a client and an HTTP server and lets through so many bytes of each connection's replies; then it
 * cuts the client's connection. The server is left to finish what it does, and is told nothing before it has answered.
 */
export async function aCuttingProxy(serverUrl: string, replyBytes: number): Promise<CuttingProxy> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = createConnection({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    }
    let left = replyBytes;
    client.pipe(upstream);
    upstream.on('end', () => client.end());
    upstream.on('data', (bytes) => {
      if (left > 0) client.write(bytes.subarray(0, left));
      left -= bytes.length;
      if (left < 0) {
        client.resetAndDestroy();
        upstream.destroy();
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a request through a proxy that cuts its reply, and answers what got through. */
export async function sendAndLose(serverUrl: string, request: string, replyBytes: number): Promise<string> {
  const proxy = await aCuttingProxy(serverUrl, replyBytes);
  try {
    const { hostname, port } = new URL(proxy.url);
    const socket = createConnection({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined); // the cut itself
    socket.write(request);
    await new Promise((resolve) => socket.on('close', resolve));
    return Buffer.concat(chunks).toString();
  } finally {
    await proxy.close();
  }
}
