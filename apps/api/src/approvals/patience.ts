import { DomainError } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { AuthenticatedRequest } from '../access/caller.js';
import { credentialOf } from '../access/credential.js';
import { KeyRing } from '../access/key-ring.js';
import { Readiness } from '../health/readiness.js';

/** How long clients are let wait for an answer. */
@Injectable()
export class Patience {
  constructor(
    private readonly keys: KeyRing,
    private readonly readiness: Readiness,
  ) {}

  /**
   * Waits for what `work` waits for. It is told to stop after so many seconds, when the client leaves, and when the process
   * is about to end. A key that was revoked meanwhile is told nothing.
   */
  async within<T>(
    request: AuthenticatedRequest,
    seconds: number,
    work: (stopping: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (seconds === 0) return work(AbortSignal.abort());
    const stopping = new AbortController();
    const stop = (): void => stopping.abort();
    const { socket } = request.raw;
    const { draining } = this.readiness;
    const timer = setTimeout(stop, seconds * 1_000);
    socket.once('close', stop);
    draining.addEventListener('abort', stop);
    if (socket.destroyed || draining.aborted) stop();
    const answer = await work(stopping.signal).finally(() => {
      clearTimeout(timer);
      socket.off('close', stop);
      draining.removeEventListener('abort', stop);
    });
    const holder = await this.keys.holderOf(credentialOf(request.raw.rawHeaders) ?? '');
    if (holder?.keyId !== request.user.keyId) throw new DomainError('unauthenticated');
    return answer;
  }
}
