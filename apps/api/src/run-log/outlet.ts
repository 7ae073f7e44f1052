import type { FastifyReply } from 'fastify';
import type { Writable } from 'node:stream';

/**
 * Why a stream ends: everything was told; the key lost its right; the process ends; it broke; or the client has left or
 * does not read.
 */
export type StreamEnd = 'over' | 'unproven' | 'ending' | 'broken' | 'left';

/** The way by which a stream gets to its client. */
export interface Outlet<Part> {
  /** What it is written to: says when the client has to be waited for, and when it has left. */
  readonly writable: Writable;
  /** How much has gone out so far. */
  readonly bytesWritten: number;
  send(part: Part): void;
  /** Shows the client, and whatever stands between, that the connection lives. */
  beat(): void;
  end(why: StreamEnd): void;
}

/** The form of an event stream, from [the HTML standard](https://html.spec.whatwg.org/multipage/server-sent-events.html). */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies of nginx's kind would gather the answer.
  'x-accel-buffering': 'no',
};

/** The first thing that is sent, so that a client knows that it is connected: how long it waits until it comes again. */
const GREETING = 'retry: 2000\n\n';

const HEARTBEAT = ':\n\n';

/**
 * Answers with server-sent events; a part is the text of whole frames. However the stream ends, it does so without a word,
 * so that the client comes again with the last id that it got.
 */
export function openEventStream(reply: FastifyReply): Outlet<string> {
  const { raw } = reply;
  reply.hijack();
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
  raw.write(GREETING);
  return {
    writable: raw,
    get bytesWritten() {
      return raw.socket?.bytesWritten ?? 0;
    },
    send: (frames) => void raw.write(frames),
    beat: () => void raw.write(HEARTBEAT),
    end: () => void raw.end(),
  };
}
