import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { INGEST_ITEM_SCHEMAS } from '@agentflow/contracts';
import type { Client } from './client.js';
import { at } from './items.js';

/* Items as texts, so that a test can write into them what no program would. */

type Members = Record<string, unknown>;
export type Verdict = { verdict: string; code?: string; pointer?: string; detail?: string };

/** What each type needs beside what all do. */
const NEEDED: Record<string, Members> = {
  'run.started': { agent: { name: 'items', adapter: 'custom' } },
  'run.moved': { status: 'running' },
  'run.finished': { status: 'succeeded' },
  'step.started': { node: 'n' },
  message: { role: 'user' },
  'tool_call.started': { name: 't' },
  checkpoint: { state: 1 },
};
export const TYPES = Object.keys(INGEST_ITEM_SCHEMAS) as (keyof typeof INGEST_ITEM_SCHEMAS)[];

/** A whole item of a type, as JSON; members that are given are texts of JSON. */
export function itemText(type: string, members: Record<string, string> = {}, without?: string): string {
  const whole: Members = { type, run_id: randomUUID(), at: at(1), ...NEEDED[type] };
  if (!type.startsWith('run.')) whole['id'] = randomUUID();
  const all = {
    ...Object.fromEntries(Object.entries(whole).map(([k, v]) => [k, JSON.stringify(v)])),
    ...members,
  };
  const kept = Object.entries(all).filter(([name]) => name !== without);
  return `{${kept.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;
}

/** Between two items that are whole, and have to be kept whatever stands between them. */
export async function verdictsAmongOthers(client: Client, ...texts: string[]): Promise<Verdict[]> {
  const [before, after] = [itemText('message'), itemText('checkpoint')];
  const { status, text, body } = await client.post('/v1/ingest', `[${[before, ...texts, after].join(',')}]`);
  expect([status, status === 200 ? '' : text]).toEqual([200, '']);
  const [first, ...rest] = body.results as Verdict[];
  expect([first?.verdict, rest.pop()?.verdict]).toEqual(['created', 'created']);
  return rest;
}
