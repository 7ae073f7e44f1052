import type { AnyPermission } from '@agentflow/contracts';
import type { Configuration } from '@agentflow/core';
import { DomainError } from '@agentflow/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import type { AuthenticatedRequest, Caller } from '../access/caller.js';
import { credentialOf } from '../access/credential.js';
import { KeyRing } from '../access/key-ring.js';
import { CONFIGURATION, LOG } from '../installation.js';

/** What a stream is made of: texts of whole frames, read when the ones before are on their way. */
export type Frames = AsyncIterable<string>;

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
const HEARTBEAT_EVERY_MS = 10_000;

/** How old the proof of a key may be: a revoked one's streams end within five seconds. */
const PROVE_EVERY_MS = 2_000;

/** How long a reader may take for what it was sent; then it is gone or too slow, and may come again. */
const PATIENCE_MS = 30_000;

/** The streams that are open. */
@Injectable()
export class EventStreams {
  private readonly open = new Set<AbortController>();
  private readonly ofKeys = new Map<string, number>();
  private isEnding = false;

  constructor(
    private readonly keys: KeyRing,
    @Inject(CONFIGURATION) private readonly configuration: Configuration,
    @Inject(LOG) private readonly log: Logger,
  ) {}

  /**
   * Sends a stream until it is over, the client leaves, the key loses the permission, or the process ends. A stream that
   * breaks ends without a word, so that the client comes again with the last id that it got.
   */
  async send(
    request: AuthenticatedRequest,
    reply: FastifyReply,
    permission: AnyPermission,
    framesUntil: (stopping: AbortSignal) => Frames,
  ): Promise<void> {
    const leave = this.enter(request.user);
    const stopping = new AbortController();
    this.open.add(stopping);
    const { raw } = reply;
    raw.once('close', () => stopping.abort());
    // Who left meanwhile is not heard of any more.
    if (this.isEnding || request.raw.socket.destroyed) stopping.abort();
    reply.hijack();
    raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...HEADERS });
    raw.write(GREETING);
    const watch = new Watch(raw, () => this.holds(request, permission), stopping);
    try {
      for await (const frames of framesUntil(stopping.signal)) {
        if (!(await watch.isProven()) || stopping.signal.aborted) break;
        if (!(await sent(raw, frames, stopping.signal))) break;
      }
    } catch (error) {
      this.log.warn({ err: error, req_id: request.id }, 'a stream broke off');
    } finally {
      watch.end();
      this.open.delete(stopping);
      leave();
      raw.end();
    }
  }

  /** Ends all streams, and whatever is still opened: the process is to end. */
  end(): void {
    this.isEnding = true;
    for (const stopping of this.open) stopping.abort();
  }

  private enter({ keyId }: Caller): () => void {
    const name = keyId ?? '';
    const count = this.ofKeys.get(name) ?? 0;
    const most = this.configuration.streamsPerKey;
    if (count >= most) {
      throw new DomainError('too_many_streams', {
        detail: `Streams that one key may have open here: ${most}.`,
      });
    }
    this.ofKeys.set(name, count + 1);
    return () => {
      const left = (this.ofKeys.get(name) ?? 0) - 1;
      if (left > 0) this.ofKeys.set(name, left);
      else this.ofKeys.delete(name);
    };
  }

  /** Whether the key is still what it was when the stream was opened. */
  private async holds({ raw, user }: AuthenticatedRequest, permission: AnyPermission): Promise<boolean> {
    const now = await this.keys.holderOf(credentialOf(raw.rawHeaders) ?? '');
    return now !== undefined && now.keyId === user.keyId && now.permissions.has(permission);
  }
}

/** Looks after an open stream while nothing happens on it. */
class Watch {
  private provenAt = performance.now();
  private sentAt = performance.now();
  private written: number;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly raw: ServerResponse,
    private readonly prove: () => Promise<boolean>,
    private readonly stopping: AbortController,
  ) {
    this.written = raw.socket?.bytesWritten ?? 0;
    this.timer = setInterval(() => void this.look(), PROVE_EVERY_MS / 2);
  }

  /** Whether the key was found good a moment ago, or is now. A database that does not answer proves nothing. */
  async isProven(): Promise<boolean> {
    const now = performance.now();
    if (now - this.provenAt < PROVE_EVERY_MS / 4) return true;
    const holds = await this.prove().catch(() => now - this.provenAt < 2 * PROVE_EVERY_MS);
    if (holds) this.provenAt = now;
    return holds;
  }

  end(): void {
    clearInterval(this.timer);
  }

  private async look(): Promise<void> {
    if (!(await this.isProven())) return this.stopping.abort();
    const now = performance.now();
    const written = this.raw.socket?.bytesWritten ?? 0;
    if (written !== this.written) this.sentAt = now;
    else if (now - this.sentAt >= HEARTBEAT_EVERY_MS && !this.raw.writableNeedDrain) {
      this.raw.write(HEARTBEAT);
      this.sentAt = now;
    }
    this.written = this.raw.socket?.bytesWritten ?? 0;
  }
}

/** Sends frames, and waits until the client takes them; false when it does not. */
async function sent(raw: ServerResponse, frames: string, stopping: AbortSignal): Promise<boolean> {
  if (raw.write(frames)) return true;
  const tooLong = AbortSignal.timeout(PATIENCE_MS);
  try {
    await once(raw, 'drain', { signal: AbortSignal.any([stopping, tooLong]) });
    return true;
  } catch {
    if (tooLong.aborted) raw.destroy();
    return false;
  }
}
