import type { AnyPermission } from '@agentflow/contracts';
import type { Configuration } from '@agentflow/core';
import { DomainError } from '@agentflow/domain';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { AuthenticatedRequest, Caller } from '../access/caller.js';
import { credentialOf } from '../access/credential.js';
import { KeyRing } from '../access/key-ring.js';
import { CONFIGURATION, LOG } from '../installation.js';
import { openEventStream, type Outlet, type StreamEnd } from './outlet.js';

/** What may come in between and is not kept: hears whole frames until it is ended. */
export type Asides = (listener: (frames: string) => void) => () => void;

/** What an event stream is made of: texts of whole frames. */
export type Frames = AsyncIterable<string>;

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
   * Answers with server-sent events. A reader who has not taken what he was sent gets no asides: they are the first to be left
   * out.
   */
  async send(
    request: AuthenticatedRequest,
    reply: FastifyReply,
    permission: AnyPermission,
    framesUntil: (stopping: AbortSignal) => Frames,
    asides?: Asides,
  ): Promise<void> {
    let endAsides: (() => void) | undefined;
    const open = (): Outlet<string> => {
      const outlet = openEventStream(reply);
      endAsides = asides?.((frames) => {
        const { writableEnded, destroyed, writableNeedDrain } = outlet.writable;
        if (!writableEnded && !destroyed && !writableNeedDrain) outlet.send(frames);
      });
      return outlet;
    };
    try {
      await this.sendBy(open, request, permission, framesUntil);
    } finally {
      endAsides?.();
    }
  }

  /**
   * Sends a stream until it is over, the client leaves, the key loses the permission, or the process ends. The parts are
   * read when the ones before are on their way. `open` is called when the stream may be opened, and may still refuse.
   */
  async sendBy<Part>(
    open: () => Outlet<Part>,
    request: AuthenticatedRequest,
    permission: AnyPermission,
    partsUntil: (stopping: AbortSignal) => AsyncIterable<Part>,
  ): Promise<void> {
    const leave = this.enter(request.user);
    const stopping = new AbortController();
    this.open.add(stopping);
    let end: StreamEnd = 'over';
    let outlet: Outlet<Part> | undefined;
    let watch: Watch | undefined;
    try {
      outlet = open();
      outlet.writable.once('close', () => stopping.abort('left'));
      // Who left meanwhile is not heard of any more.
      if (request.raw.socket.destroyed) stopping.abort('left');
      if (this.isEnding) stopping.abort('ending');
      // The headers are the answer.
      if (request.method === 'HEAD') stopping.abort('over');
      watch = new Watch(outlet, () => this.holds(request, permission), stopping);
      for await (const part of partsUntil(stopping.signal)) {
        if (!(await watch.isProven())) stopping.abort('unproven');
        if (stopping.signal.aborted) break;
        if (!(await isTaken(outlet, part, stopping.signal))) break;
      }
    } catch (error) {
      if (!outlet) throw error;
      end = 'broken';
      this.log.warn({ err: error, req_id: request.id }, 'a stream broke off');
    } finally {
      watch?.end();
      this.open.delete(stopping);
      leave();
      outlet?.end(stopping.signal.aborted ? (stopping.signal.reason as StreamEnd) : end);
    }
  }

  /** Ends all streams, and whatever is still opened: the process is to end. */
  end(): void {
    this.isEnding = true;
    for (const stopping of this.open) stopping.abort('ending');
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
    private readonly outlet: Outlet<never>,
    private readonly prove: () => Promise<boolean>,
    private readonly stopping: AbortController,
  ) {
    this.written = outlet.bytesWritten;
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
    if (!(await this.isProven())) return this.stopping.abort('unproven');
    const now = performance.now();
    const written = this.outlet.bytesWritten;
    if (written !== this.written) this.sentAt = now;
    else if (now - this.sentAt >= HEARTBEAT_EVERY_MS && !this.outlet.writable.writableNeedDrain) {
      this.outlet.beat();
      this.sentAt = now;
    }
    this.written = this.outlet.bytesWritten;
  }
}

/** Sends a part, and waits until the client takes it; false when it does not. */
async function isTaken<Part>(outlet: Outlet<Part>, part: Part, stopping: AbortSignal): Promise<boolean> {
  outlet.send(part);
  const { writable } = outlet;
  if (!writable.writableNeedDrain) return true;
  // Whoever is cut off has left, which stops the stream.
  const tooLong = setTimeout(() => writable.destroy(), PATIENCE_MS);
  try {
    await once(writable, 'drain', { signal: stopping });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(tooLong);
  }
}
