import { v7 as newId } from 'uuid';
import { ratioInTurns } from './figures.js';
import { HttpClient } from './http-client.js';
import { BATCH, INPUT, OUTPUT, rawSteps } from './raw-steps.js';
import { vacuum, type Server } from './server.js';

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
    return await ratioInTurns(ROUNDS, ours, raw.measure, 'steps/s', () => vacuum(server));
  } finally {
    await raw.close();
  }
}

export async function batches({ url, key }: Server): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => HttpClient.open(url, headers)));
  const template = new BatchTemplate();
  const began = performance.now();
  let steps = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < began + SECONDS * 1_000) {
        const answer = await client.post('/v1/ingest', template.next());
        if (!answer.includes('"rejected":0')) throw new Error(answer.slice(0, 500));
        steps += BATCH;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  return steps / seconds;
}

const FILLER = 'ffffffff-ffff-7fff-8fff-ffff';
const idOf = (i: number): string => `${FILLER}${i.toString(16).padStart(8, '0')}`;

/** A batch whose ids are made fresh in place, so that the client, which shares the machine, has next to nothing to do. */
export class BatchTemplate {
  private readonly bytes = Buffer.from(batchOf(idOf));
  private readonly places = placesOf(this.bytes, FILLER);

  /** The batch under ids that were never used before, each step's after that of the one before. */
  next(): Buffer {
    const body = Buffer.from(this.bytes);
    const fresh = Buffer.from(newId().slice(0, FILLER.length));
    for (const at of this.places) fresh.copy(body, at);
    return body;
  }
}

function batchOf(id: (i: number) => string): string {
  const of = `"run_id":"${id(0)}"`;
  const items = [`{"type":"run.started",${of},"at":"${AT}","agent":${JSON.stringify(AGENT)}}`];
  for (let i = 1; i <= BATCH; i++) {
    const named = `${of},"id":"${id(i)}"`;
    items.push(`{"type":"step.started",${named},${STEP}`, `{"type":"step.finished",${named},${STEP_END}`);
  }
  items.push(`{"type":"run.finished",${of},"at":"${END}","status":"succeeded","output":1}`);
  return `[${items.join(',')}]`;
}

function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}
