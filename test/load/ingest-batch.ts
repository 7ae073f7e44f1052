import { v7 as newId } from 'uuid';
import { ratioInTurns } from './figures.js';
import { HttpClient } from './http-client.js';
import { BATCH, INPUT, OUTPUT, rawSteps } from './raw-steps.js';
import type { Server } from './server.js';

const ROUNDS = 5;
const SECONDS = 5;
const WARM_UPS = 3;
const CLIENTS = 8;

const AGENT = { name: 'bench', adapter: 'custom' };
const AT = '2026-02-03T08:00:00.000000Z';
const END = '2026-02-03T08:00:01.000000Z';
const STEP = `"at":"${AT}","node":"plan","kind":"llm","model":"gpt-4o","provider":"openai","input":${JSON.stringify(INPUT)}}`;
const STEP_END = `"at":"${END}","tokens_in":100,"tokens_out":50,"output":${JSON.stringify(OUTPUT)}}`;

/**
 * Steps of 2 KB by batches of 200, each with its start and its end, in runs of their own that start and end with the batch:
 * with keys, checks, row security, events, costs and totals. Against raw `unnest` inserts of the same steps.
 */
export async function ingestBatch(server: Server): Promise<number> {
  const ours = (): Promise<number> => batches(server);
  for (let i = 0; i < WARM_UPS; i++) await ours();
  const raw = await rawSteps(server);
  try {
    return await ratioInTurns(ROUNDS, ours, raw.measure, 'steps/s');
  } finally {
    await raw.close();
  }
}

export async function batches({ url, key }: Server): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HttpClient.open(url, headers)));
  const began = performance.now();
  let steps = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < began + SECONDS * 1_000) {
        const answer = await client.post('/v1/ingest', aBatch());
        if (!answer.includes('"rejected":0')) throw new Error(answer.slice(0, 500));
        steps += BATCH;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  return steps / seconds;
}

export function aBatch(): string {
  const run = newId();
  const of = `"run_id":"${run}"`;
  const items = [`{"type":"run.started",${of},"at":"${AT}","agent":${JSON.stringify(AGENT)}}`];
  for (let i = 0; i < BATCH; i++) {
    const named = `${of},"id":"${newId()}"`;
    items.push(`{"type":"step.started",${named},${STEP}`, `{"type":"step.finished",${named},${STEP_END}`);
  }
  items.push(`{"type":"run.finished",${of},"at":"${END}","status":"succeeded","output":1}`);
  return `[${items.join(',')}]`;
}
