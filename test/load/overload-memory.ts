import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { median } from './figures.js';
import { HttpClient } from './http-client.js';
import { BatchTemplate } from './ingest-batch.js';
import type { Server } from './server.js';

const SECONDS = 300;
const CLIENTS = 64;
const MIB = 1024 * 1024;

/**
 * The memory of the api, all processes together, during five minutes of overload: 64 connections send batches of 200 steps as fast as they are answered,
 * and at once again when they are refused. The peak of the last minute against that of the second, the first being spent
 * on warming up. Node gives memory back late, so what matters is that it does not go on growing.
 */
export async function overloadMemory(server: Server): Promise<number> {
  const headers = { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' };
  const until = performance.now() + SECONDS * 1_000;
  const template = new BatchTemplate();
  const answers = { taken: 0, refused: 0 };
  const sending = Array.from({ length: CLIENTS }, async () => {
    let client = await HttpClient.open(server.url, headers);
    while (performance.now() < until) {
      try {
        await client.post('/v1/ingest', template.next());
        answers.taken++;
      } catch (refusal) {
        if (!/^HTTP\/1\.1 (429|503) /.test((refusal as Error).message)) throw refusal;
        answers.refused++;
        // What is refused before it is read ends its connection.
        client.close();
        client = await HttpClient.open(server.url, headers);
      }
    }
    client.close();
  });
  const peaks = await peaksOfMinutes(server, until);
  await Promise.all(sending);
  console.log(`  ${answers.taken} batches taken, ${answers.refused} refused`);
  console.log(`  peak of each minute in MiB: ${peaks.map((peak) => (peak / MIB).toFixed(0)).join(', ')}`);
  return (peaks.at(-1) as number) / (peaks[1] as number);
}

/** Of each minute the median of its five highest samples: the collector's own peaks last for moments. */
async function peaksOfMinutes({ pid }: Server, until: number): Promise<number[]> {
  const minutes: number[][] = [];
  const began = performance.now();
  while (performance.now() < until) {
    const minute = Math.floor((performance.now() - began) / 60_000);
    (minutes[minute] ??= []).push(residentBytes(pid));
    await delay(500);
  }
  return minutes.map((samples) => median(samples.sort((a, b) => b - a).slice(0, 5)));
}

/** Of a process and of those that it started to serve the API, which are of Node as it is. */
function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  if (!status.startsWith('Name:\tnode')) return 0;
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return Number(kib) * 1_024 + children.reduce((sum, child) => sum + residentBytes(Number(child)), 0);
}
