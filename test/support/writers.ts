import { randomUUID } from 'node:crypto';
import type { Answer, Client } from './client.js';
import { aRunningRun } from './things.js';

/** Something that was written and acknowledged. */
export interface Acknowledged {
  readonly runId: string;
  readonly kind: 'step' | 'message';
  /** What it can be told by: a step's id, a message's content. */
  readonly mark: string;
}

/** How one request ended. */
export interface Outcome {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly tookMs: number;
}

/** Clients that write without a pause. */
export interface Writers {
  readonly acknowledged: readonly Acknowledged[];
  readonly outcomes: readonly Outcome[];
  /** Resolves when so many more were acknowledged. */
  acknowledge(count: number): Promise<void>;
  /** Resolves when so many more were refused. */
  refuse(count: number): Promise<void>;
  /** Lets each get its last write through. */
  stop(): Promise<void>;
}

/**
 * Each writes to a run of its own: a step under an id of its own, a message under an `Idempotency-Key`, in turns.
 * What was refused for now is sent again, the same in every byte, until it is acknowledged.
 */
export async function writersOn(client: Client, agentId: string, count: number): Promise<Writers> {
  const acknowledged: Acknowledged[] = [];
  const outcomes: Outcome[] = [];
  const waiting = new Set<() => void>();
  let isStopping = false;

  const insist = async (send: () => Promise<Answer>): Promise<void> => {
    for (;;) {
      const begun = performance.now();
      const { status, headers } = await send();
      const retryAfter = headers.get('retry-after');
      outcomes.push({ status, retryAfter, tookMs: performance.now() - begun });
      for (const look of waiting) look();
      if (status !== 503) return;
    }
  };
  const write = async (runId: string): Promise<void> => {
    while (!isStopping) {
      const [id, key, content] = [randomUUID(), randomUUID(), randomUUID()];
      await insist(() => client.post(`/v1/runs/${runId}/steps`, { id, node: 'plan', input: { id } }));
      acknowledged.push({ runId, kind: 'step', mark: id });
      const message = { role: 'user', content };
      await insist(() => client.post(`/v1/runs/${runId}/messages`, message, { 'idempotency-key': key }));
      acknowledged.push({ runId, kind: 'message', mark: content });
    }
  };
  const until = (isReached: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (!isReached()) return;
        waiting.delete(look);
        resolve();
      };
      waiting.add(look);
      look();
    });
  const refused = (): number => outcomes.filter(({ status }) => status === 503).length;

  const runs = await Promise.all(
    Array.from({ length: count }, () => aRunningRun(client, { agent_id: agentId })),
  );
  const ended = Promise.all(runs.map(({ id }) => write(id as string)));
  ended.catch(() => undefined); // told by `stop`
  const orFailed = (reached: Promise<void>): Promise<void> =>
    Promise.race([reached, ended.then(() => undefined)]);
  return {
    acknowledged,
    outcomes,
    acknowledge: (more) => {
      const goal = acknowledged.length + more;
      return orFailed(until(() => acknowledged.length >= goal));
    },
    refuse: (more) => {
      const goal = refused() + more;
      return orFailed(until(() => refused() >= goal));
    },
    stop: async () => {
      isStopping = true;
      await ended;
    },
  };
}
