import type { IncomingMessage } from 'node:http';
import { WebSocket, type ClientOptions } from 'ws';
import type { TestApi } from './api.js';

/** A WebSocket that is being read. */
export interface OpenWebSocket {
  readonly socket: WebSocket;
  /** The next event; undefined when it was closed. */
  next(): Promise<Told | undefined>;
  take(count: number): Promise<Told[]>;
  /** Every event until it is closed. */
  rest(): Promise<Told[]>;
  /** With which code, and why, it was closed. */
  readonly closed: Promise<readonly [code: number, reason: string]>;
  close(): void;
}

type Told = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into events freely

/** Opens a WebSocket; fails with the refusal when it is not accepted. */
export async function openWebSocket(
  { url }: Pick<TestApi, 'url'>,
  path: string,
  headers: Record<string, string>,
  options: ClientOptions = {},
): Promise<OpenWebSocket> {
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers, ...options });
  const told: Told[] = [];
  let news: (() => void) | undefined;
  socket.on('message', (text) => {
    told.push(JSON.parse(String(text)));
    news?.();
  });
  const closed = new Promise<readonly [code: number, reason: string]>((resolve) => {
    socket.once('close', (code, reason) => {
      news?.();
      resolve([code, String(reason)]);
    });
  });
  socket.on('error', () => undefined);
  await opened(socket);
  const next = async (): Promise<Told | undefined> => {
    while (told.length === 0 && socket.readyState !== WebSocket.CLOSED)
      await new Promise<void>((resolve) => (news = resolve));
    return told.shift();
  };
  const take = async (count: number): Promise<Told[]> => {
    const events: Told[] = [];
    while (events.length < count) {
      const event = await next();
      if (event === undefined) break;
      events.push(event);
    }
    return events;
  };
  return { socket, next, take, rest: () => take(Infinity), closed, close: () => socket.close() };
}

/** What a refused request for a WebSocket is answered. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    readonly headers: IncomingMessage['headers'],
  ) {
    super(`${status} ${code}`);
  }
}

function opened(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (part) => (text += String(part)));
      response.on('end', () => {
        const { code } = JSON.parse(text) as { code: string };
        reject(new Refusal(response.statusCode ?? 0, code, response.headers));
      });
    });
  });
}
