import { DomainError } from '@agentflow/domain';
import cluster from 'node:cluster';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** What a registry holds. */
export type RegistryFigures = MetricObjectWithValues<MetricValue<string>>[];

/** What a process of the doors tells the one that started it, which is `door-processes.ts`. */
export type ToPrimary =
  | { type: 'loaded' }
  | { type: 'opened'; opened: Opened }
  | { type: 'figures'; figures: RegistryFigures }
  | { type: 'sums' };

/** What it is told: what it begins with, that its figures are asked for, and the sums over all that it asked for. */
export type FromPrimary =
  { type: 'begin'; beginning: Beginning } | { type: 'figures' } | { type: 'sums'; text?: string | undefined };

/** What came of opening the doors. */
export interface Opened {
  /** Where it listens. */
  url: string;
  /** The first key, when it was made just now. */
  key?: string | undefined;
}

/** What a process of the doors begins with: a database that is prepared, and the port that it shares with the others. */
export interface Beginning {
  appUrl: string;
  port: number;
}

type Told<T extends FromPrimary['type']> = Extract<FromPrimary, { type: T }>;

export function tellPrimary(message: ToPrimary): void {
  // It may have ended, and this process is about to.
  process.send?.(message, undefined, undefined, () => undefined);
}

/** What this process begins with, as soon as it is there. */
export async function toldToBegin(ending: AbortSignal): Promise<Beginning> {
  const begun = once('begin', ending);
  tellPrimary({ type: 'loaded' });
  return (await begun).beginning;
}

/** The figures of a registry as text for Prometheus: where several processes serve, the sums over all of them. */
export class Figures {
  private asked: Promise<string> | undefined;

  constructor(private readonly registry: Registry) {
    if (!cluster.isWorker) return;
    on('figures', () => {
      void registry.getMetricsAsJSON().then((figures) => tellPrimary({ type: 'figures', figures }));
    });
  }

  text(): Promise<string> {
    if (!cluster.isWorker) return this.registry.metrics();
    this.asked ??= sums().finally(() => (this.asked = undefined));
    return this.asked;
  }
}

async function sums(): Promise<string> {
  const told = once('sums');
  tellPrimary({ type: 'sums' });
  const { text } = await told;
  if (text !== undefined) return text;
  throw new DomainError('unavailable', { detail: 'A process of the API does not answer.' });
}

/** Hears one kind of message; answers how to stop that. */
function on<T extends FromPrimary['type']>(type: T, hear: (message: Told<T>) => void): () => void {
  const listen = (message: FromPrimary): void => {
    if (message.type === type) hear(message as Told<T>);
  };
  process.on('message', listen);
  return () => process.off('message', listen);
}

function once<T extends FromPrimary['type']>(type: T, ending?: AbortSignal): Promise<Told<T>> {
  return new Promise((resolve, reject) => {
    const stop = on(type, (message) => {
      stop();
      resolve(message);
    });
    ending?.addEventListener('abort', () => {
      stop();
      reject(ending.reason as Error);
    });
  });
}
