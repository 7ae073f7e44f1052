import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it arrived. */
export interface Seen {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
  atMs: number;
}

/** What becomes of one request. */
export type Fate = (seen: Seen, response: ServerResponse, front: Front) => void | Promise<void>;

/** A server in front of an api: it does to single requests what networks and proxies do, and passes the rest on. */
export interface Front {
  readonly url: string;
  readonly seen: readonly Seen[];
  /** The fates of the next requests, in their order. */
  next(...fates: Fate[]): void;
  /** The fate of every request that has none of its own. */
  always(fate: Fate): void;
  /** Hands a request to the api; answers what the api answered. */
  pass(seen: Seen): Promise<{ status: number; headers: IncomingMessage['headers']; body: Buffer }>;
  close(): Promise<void>;
}

export async function aFront(target: string): Promise<Front> {
  const seen: Seen[] = [];
  const fates: Fate[] = [];
  const sockets = new Set<Socket>();
  let usual: Fate = passed;
  const server = createServer((incoming, response) => void take(incoming, response));
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const front: Front = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    next: (...more) => void fates.push(...more),
    always: (fate) => void (usual = fate),
    pass: (one) => pass(target, one),
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  const take = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '', headers } = incoming;
    const one = { method, url, headers, body: (await read(incoming)).toString(), atMs: performance.now() };
    seen.push(one);
    await (fates.shift() ?? usual)(one, response, front);
  };
  return front;
}

/** The api answers. */
export const passed: Fate = async (seen, response, front) => {
  const { status, headers, body } = await front.pass(seen);
  response.writeHead(status, headers).end(body);
};

/** The api carries the request out, and its answer is lost. */
export const lost: Fate = async (seen, response, front) => {
  await front.pass(seen);
  response.destroy();
};

/** The request never reaches the api. */
export const cut: Fate = (_seen, response) => void response.destroy();

/** Nobody ever answers. */
export const silent: Fate = () => undefined;

/** Something answers, and it is not the api. */
export function answered(status: number, headers: Record<string, string> = {}, body = ''): Fate {
  return (_seen, response) => void response.writeHead(status, headers).end(body);
}

function pass(target: string, { method, url, headers, body }: Seen): ReturnType<Front['pass']> {
  return new Promise((resolve, reject) => {
    const outgoing = request(target + url, { method, headers }, (incoming) => {
      const { statusCode: status = 0, headers: answered } = incoming;
      read(incoming).then((bytes) => resolve({ status, headers: answered, body: bytes }), reject);
    });
    outgoing.on('error', reject).end(body);
  });
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
