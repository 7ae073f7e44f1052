import { v7 as newId } from 'uuid';
import { ratioInTurns } from './figures.js';
import { HttpClient } from './http-client.js';
import { INPUT, OUTPUT } from './raw-steps.js';
import { vacuum, type Server } from './server.js';
import { jsonHeaders, openRuns, watchAndCount } from './watched-runs.js';

/** More than elsewhere: what is to be seen is smaller than what two turns of the same differ by. */
const ROUNDS = 9;
const SECONDS = 5;
const CLIENTS = 8;
const RUNS = 10;
const BATCH = 200;

/**
 * Steps of 2 KB by batches of 200, each with its start and its end, to ten runs that go on, while each of the ten is followed by a
 * client that reads every event; against the same while nobody follows. The clients share the machine, and a process.
 */
export async function ingestWhileWatched(server: Server): Promise<number> {
  const unwatched = (): Promise<number> => batches(server, false);
  const watched = (): Promise<number> => batches(server, true);
  await unwatched();
  await watched();
  return ratioInTurns(ROUNDS, watched, unwatched, 'steps/s', () => vacuum(server));
}

async function batches(server: Server, isWatched: boolean): Promise<number> {
  const runs = await openRuns(server, RUNS);
  let heard = 0;
  const count = (): void => void heard++;
  const leave = isWatched
    ? await Promise.all(runs.map((id) => watchAndCount(server, `/v1/runs/${id}/events`, count)))
    : [];
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => HttpClient.open(server.url, jsonHeaders(server))),
  );
  const began = performance.now();
  let steps = 0;
  let next = 0;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < began + SECONDS * 1_000) {
        const answer = await client.post('/v1/ingest', aBatch(runs[next++ % RUNS] as string));
        if (!answer.includes('"rejected":0')) throw new Error(answer.slice(0, 500));
        steps += BATCH;
      }
    }),
  );
  const seconds = (performance.now() - began) / 1_000;
  for (const client of clients) client.close();
  for (const stop of leave) stop();
  if (isWatched && heard < steps / 2) throw new Error(`of ${steps} steps, ${heard} events were heard`);
  return steps / seconds;
}

const AT = '2026-02-03T08:00:00.000000Z';
const END = '2026-02-03T08:00:01.000000Z';
const STEP = `"at":"${AT}","node":"plan","kind":"llm","model":"gpt-4o","provider":"openai","input":${JSON.stringify(INPUT)}}`;
const STEP_END = `"at":"${END}","tokens_in":100,"tokens_out":50,"output":${JSON.stringify(OUTPUT)}}`;

function aBatch(runId: string): string {
  const items = Array.from({ length: BATCH }, () => {
    const named = `"run_id":"${runId}","id":"${newId()}"`;
    return `{"type":"step.started",${named},${STEP},{"type":"step.finished",${named},${STEP_END}`;
  });
  return `[${items.join(',')}]`;
}
