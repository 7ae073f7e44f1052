import { setTimeout as delay } from 'node:timers/promises';
import { v7 as newId } from 'uuid';
import { HttpClient } from './http-client.js';
import type { Server } from './server.js';
import { jsonHeaders, openRuns, watch } from './watched-runs.js';

const WRITES_PER_SECOND = 5_000;
const BATCH = 200;
const RUNS = 10;
const CLIENTS = 4;
const WARM_UP_MS = 5_000;
const MEASURED_MS = 15_000;

/**
 * How many milliseconds after its commit an event reaches a client, the 95th of a hundred, while 5,000 steps a second are reported in
 * batches of 200 to ten runs. Each run is followed by a client, and all of them by one more; every event counts, twice.
 *
 * Nobody is told the moment of a commit. `at` is the database's clock when the event was written, some milliseconds before; the
 * client's is the same clock, since it is the same machine, and stamps each piece of a stream as it is read. So
 * the figure is too large by what the transaction took from there on, and never too small. The clients share a process
 * with what writes.
 */
export async function eventDelay(server: Server): Promise<number> {
  const runs = await openRuns(server, RUNS);
  const ofRuns: number[] = [];
  const ofAll: number[] = [];
  let isMeasured = false;
  const into =
    (delays: number[]) =>
    (frame: string): void => {
      const at = /"at":"([^"]+)"/.exec(frame)?.[1];
      if (isMeasured && at !== undefined) delays.push(Date.now() - Date.parse(at));
    };
  const leave = [await watch(server, '/v1/events', into(ofAll))];
  for (const id of runs) leave.push(await watch(server, `/v1/runs/${id}/events`, into(ofRuns)));
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => HttpClient.open(server.url, jsonHeaders(server))),
  );
  const began = performance.now();
  const end = WARM_UP_MS + MEASURED_MS;
  let batches = 0;
  let measured = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (;;) {
        // Each batch has its moment; who is late goes on at once, and what is not reached in time is left out.
        const due = (batches++ * BATCH * 1_000) / WRITES_PER_SECOND;
        if (Math.max(due, performance.now() - began) > end) return;
        await delay(Math.max(0, due - (performance.now() - began)));
        isMeasured = performance.now() - began > WARM_UP_MS;
        const answer = await client.post('/v1/ingest', aBatch(runs[batches % RUNS] as string));
        if (!answer.includes('"rejected":0')) throw new Error(answer.slice(0, 500));
        if (isMeasured) measured += BATCH;
      }
    }),
  );
  const seconds = (performance.now() - began - WARM_UP_MS) / 1_000;
  const rate = measured / seconds;
  // What is under way still counts.
  for (let waited = 0; ofAll.length < measured && waited < 10_000; waited += 100) await delay(100);
  isMeasured = false;
  for (const stop of leave) stop();
  for (const client of clients) client.close();
  console.log(`  ${rate.toFixed(0)} writes/s of ${WRITES_PER_SECOND}`);
  for (const [name, delays] of [
    ['one run', ofRuns],
    ['all runs', ofAll],
  ] as const) {
    const [p50, p95, p99] = [0.5, 0.95, 0.99].map((part) => percentile(delays, part));
    console.log(`  streams of ${name}: ${delays.length} events, p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`);
  }
  return percentile([...ofRuns, ...ofAll], 0.95);
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Infinity;
}

function aBatch(runId: string): string {
  const at = '2026-02-03T08:00:00.000000Z';
  const items = Array.from(
    { length: BATCH },
    () =>
      `{"type":"step.started","run_id":"${runId}","id":"${newId()}","at":"${at}","node":"plan","kind":"llm"}`,
  );
  return `[${items.join(',')}]`;
}
