import type { TestApi } from '../api.js';
import type { Answer } from '../client.js';
import type { BodyField, Door } from './doors.js';
import { clientFor, type Members, type Sample } from './samples.js';
import { everythingStored } from './stored.js';

/** A body that has to be refused, and where the refusal has to point: there, or at something below. */
export interface Attempt {
  readonly body: string;
  readonly at: string;
}

const LARGEST_REFUSAL = 8 * 1024;
const MOST_FAULTS = 20;

/** Sends bodies to every door; tells which answers were no proper refusal, and which tables were written to. */
export async function offences(
  api: TestApi,
  samples: ReadonlyMap<Door, Sample>,
  attempts: (door: Door, sample: Sample) => readonly Attempt[],
): Promise<string[]> {
  const before = await everythingStored(api.database);
  const found: string[] = [];
  for (const [door, sample] of samples) {
    for (const { body, at } of attempts(door, sample)) {
      const answer = await clientFor(api, door).call(door.method, sample.path, body);
      const offence = offenceOf(answer, at);
      if (offence) found.push(`${door.id} ${body.slice(0, 120)}: ${offence}`);
    }
  }
  const after = await everythingStored(api.database);
  const written = Object.keys(after).filter((table) => after[table] !== before[table]);
  return [...found, ...written.map((table) => `${table} was written to`)];
}

/** What is wrong with a refusal: it says with 400 or 413, briefly, once for each place, where the fault is. */
export function offenceOf({ status, body, text, headers }: Answer, at: string): string | undefined {
  if (status !== 400 && status !== 413) return `${status} ${text.slice(0, 200)}`;
  if (headers.get('content-type') !== 'application/problem+json; charset=utf-8') return 'no problem';
  const pointers = ((body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);
  if (pointers.length === 0 || pointers.length > MOST_FAULTS) return `${pointers.length} faults`;
  if (Buffer.byteLength(text) > LARGEST_REFUSAL) return `${Buffer.byteLength(text)} bytes`;
  if (new Set(pointers).size < pointers.length) return `repeats itself: ${text}`;
  return pointers.some((pointer) => pointer.startsWith(at)) ? undefined : `points at ${pointers.join(' ')}`;
}

/** The body as text, with one member (of a member) set to a text that need not be JSON, or left out. */
export function withMember(
  body: Members,
  [name, ...below]: readonly string[],
  raw: string | undefined,
): string {
  const inner = below.length === 0 ? raw : withMember((body[name as string] ?? {}) as Members, below, raw);
  return `{${[...othersOf(body, name), ...(inner === undefined ? [] : [`${JSON.stringify(name)}:${inner}`])].join(',')}}`;
}

/** The body as text, with one member twice. */
export function withMemberTwice(body: Members, { path: [name] }: BodyField): string {
  const member = `${JSON.stringify(name)}:${JSON.stringify(body[name as string] ?? null)}`;
  return `{${[...othersOf(body, name), member, member].join(',')}}`;
}

function othersOf(body: Members, name: string | undefined): string[] {
  return Object.entries(body)
    .filter(([known]) => known !== name)
    .map(([known, value]) => `${JSON.stringify(known)}:${JSON.stringify(value)}`);
}
