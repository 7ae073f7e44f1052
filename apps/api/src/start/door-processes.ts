import type { Configuration, StopSignal } from '@agentflow/core';
import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { AggregatorRegistry } from 'prom-client';
import type { Beginning, FromPrimary, Opened, RegistryFigures, ToPrimary } from './primary.js';

/** What each of them runs. */
const PROGRAM = fileURLToPath(new URL(`../door-process${extname(import.meta.url)}`, import.meta.url));

/** One that ends again and again leaves the machine to the others in between. */
const RETRY_MS = 1_000;

/** One that does not tell its figures in this time does not tell them at all. */
const PATIENCE_MS = 2_000;

/** The first of the processes ended before it had opened its doors; it has told why. */
class DoorsClosed extends Error {
  override readonly name = 'DoorsClosed';
}

/**
 * Several processes that serve the doors, so that the API is not bound to one core. They share the port: this process takes
 * the connections and hands them to each in turn, sums their figures, and starts another when one ends.
 */
export class DoorProcesses {
  private readonly first: Worker;
  private readonly opened = new Set<Worker>();
  private begin!: (beginning: Beginning) => void;
  private readonly begun = new Promise<Beginning>((resolve) => (this.begin = resolve));
  private isEnding = false;

  /** Starts the first, which loads while the database is prepared. */
  constructor(private readonly log: Logger) {
    cluster.setupPrimary({ exec: PROGRAM, execArgv: [...process.execArgv, '--enable-source-maps'] });
    cluster.on('message', (worker, message: ToPrimary) => this.hear(worker, message));
    cluster.on('exit', (worker) => this.opened.delete(worker));
    this.first = cluster.fork();
  }

  /** All open their doors on a database that is prepared. The first is waited for, the others follow. */
  async open({ apiProcesses, host, port }: Configuration, appUrl: string): Promise<Opened> {
    this.begin({ appUrl, port: port === 0 ? await freePort(host) : port });
    const opened = await openingOf(this.first);
    void this.keep(this.first);
    for (let i = 1; i < apiProcesses; i++) void this.keep(cluster.fork());
    return opened;
  }

  /** Tells all to stop, and waits for their end. */
  async end(signal: StopSignal): Promise<void> {
    this.isEnding = true;
    const codes = await Promise.all(
      Object.values(cluster.workers ?? {}).map(async (worker) => {
        const ended = once(worker as Worker, 'exit');
        (worker as Worker).process.kill(signal);
        return (await ended)[0] as number | null;
      }),
    );
    const failed = codes.filter((code) => code !== null && code !== 0);
    if (failed.length > 0) throw new Error(`${failed.length} of ${codes.length} did not end cleanly`);
  }

  private hear(worker: Worker, { type }: ToPrimary): void {
    if (type === 'loaded') void this.begun.then((beginning) => tell(worker, { type: 'begin', beginning }));
    if (type === 'opened') {
      this.opened.add(worker);
      this.log.info({ pid: worker.process.pid }, 'a process of the API serves');
    }
    if (type === 'sums') {
      const answer = (text?: string): void => tell(worker, { type, text });
      this.sums().then(answer, () => answer());
    }
  }

  private async sums(): Promise<string> {
    const figures = await Promise.all([...this.opened].map(figuresOf));
    return AggregatorRegistry.aggregate(figures).metrics();
  }

  private async keep(worker: Worker): Promise<void> {
    for (let kept = worker; ; kept = cluster.fork()) {
      const [code, signal] = (await once(kept, 'exit')) as [number | null, string | null];
      if (this.isEnding) return;
      this.log.error(
        { pid: kept.process.pid, exit: { code, signal } },
        'a process of the API ended; starting another',
      );
      await delay(RETRY_MS, undefined, { ref: false });
      if (this.isEnding) return;
    }
  }
}

/** Any that is free, and the same for all, also when all have to be started again. */
async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function openingOf(worker: Worker): Promise<Opened> {
  const message = await next(worker, 'opened');
  if (message) return message.opened;
  throw new DoorsClosed('The API did not open its doors; its process told why.');
}

async function figuresOf(worker: Worker): Promise<RegistryFigures> {
  const told = next(worker, 'figures', PATIENCE_MS);
  tell(worker, { type: 'figures' });
  return (await told)?.figures ?? [];
}

/** The next message of one kind; none from a process that has ended. Fails when it takes too long. */
function next<T extends ToPrimary['type']>(
  worker: Worker,
  type: T,
  withinMs?: number,
): Promise<Extract<ToPrimary, { type: T }> | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(late);
      worker.off('message', hear).off('exit', end);
    };
    const hear = (message: ToPrimary): void => {
      if (message.type !== type) return;
      stop();
      resolve(message as Extract<ToPrimary, { type: T }>);
    };
    const end = (): void => {
      stop();
      resolve(undefined);
    };
    const giveUp = (): void => {
      stop();
      reject(new Error(`a process of the API does not answer: ${type}`));
    };
    const late = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs);
    worker.on('message', hear).on('exit', end);
    if (worker.isDead()) end();
  });
}

/** One that is about to end does not hear it any more. */
function tell(worker: Worker, message: FromPrimary): void {
  if (worker.isConnected()) worker.send(message, () => undefined);
}
