import { randomUUID } from 'node:crypto';

/* Items to ingest, each whole and valid by itself. */

type Item = Record<string, unknown> & { type: string; run_id: string };

/** A moment of a test's own day, so many milliseconds after its morning. */
export function at(ms: number): string {
  return `${new Date(Date.UTC(2026, 1, 3, 8) + ms).toISOString().slice(0, -1)}000Z`;
}

export const aRunStart = (run_id: string, members: object = {}): Item => ({
  type: 'run.started',
  run_id,
  at: at(0),
  agent: { name: 'ingested', adapter: 'custom' },
  ...members,
});

export const aRunEnd = (run_id: string, members: object = {}): Item => ({
  type: 'run.finished',
  run_id,
  at: at(60_000),
  status: 'succeeded',
  output: { done: true },
  ...members,
});

export const aStepStart = (run_id: string, id: string = randomUUID(), members: object = {}): Item => ({
  type: 'step.started',
  run_id,
  id,
  at: at(1_000),
  node: 'plan',
  ...members,
});

export const aStepEnd = (run_id: string, id: string, members: object = {}): Item => ({
  type: 'step.finished',
  run_id,
  id,
  at: at(2_000),
  ...members,
});
