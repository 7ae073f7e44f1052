import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * What becomes of a request: it is refused and the server never hears of it; or the server takes it, and the client is
 * told that it did not.
 */
export interface Fault {
  readonly status: number;
  readonly isTaken: boolean;
}

export interface FaultyProxy {
  /** The way to the same server through the proxy. */
  readonly url: string;
  /** The statuses that were answered, in their order. */
  readonly answered: readonly number[];
  close(): Promise<void>;
}

/** Stands between a client and an HTTP server and spoils the first requests, one fault each; all others get through. */
export async function aFaultyProxy(serverUrl: string, faults: readonly Fault[]): Promise<FaultyProxy> {
  const left = [...faults];
  const answered: number[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const fault = left.shift();
    const taken = fault?.isTaken === false ? undefined : await forwarded(serverUrl, request);
    const status = fault?.status ?? taken?.status ?? 0;
    answered.push(status);
    const type = request.headers['content-type'] ?? '';
    response.writeHead(status, { 'content-type': type, ...(fault ? { 'retry-after': '1' } : {}) });
    response.end(fault || !taken ? '' : Buffer.from(await taken.arrayBuffer()));
  };
  const server = createServer((request, response) => {
    answer(request, response).catch((error: Error) => response.destroy(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

async function forwarded(serverUrl: string, request: IncomingMessage): Promise<Response> {
  const { authorization = '', 'content-type': type = '' } = request.headers;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return fetch(serverUrl + request.url, {
    method: request.method ?? 'POST',
    headers: { authorization, 'content-type': type },
    body: Buffer.concat(chunks),
  });
}
