import { randomUUID } from 'node:crypto';
import { checkAgainstDocument } from '../document.js';
import type { Caller } from './callers.js';
import { comparable, exchange, inParallel, type Reply } from './exchange.js';
import { expectedStatus } from './oracle.js';
import { PLACES, type Place, type TenancyWorld } from './places.js';
import type { Sample } from './sample.js';
import { filled, type Target } from './targets.js';

/** One request of the matrix: who, where to, and what the oracle says. */
export interface Cell {
  readonly caller: Caller;
  readonly target: Target;
  readonly expected: number;
}

export interface Door {
  readonly url: string;
  readonly method: string;
  readonly path: string;
  readonly sample: Sample;
}

/**
 * Every caller at every place. At what is not there, only the least and the most that a scope can be; and a credential
 * that proves nothing at what is there and at what never was.
 */
export function cellsOf(
  { path, sample }: Door,
  callers: readonly Caller[],
  targets: readonly Target[],
): Cell[] {
  return callers.flatMap((caller) =>
    targets
      .filter((target) => isTried(caller, target))
      .map((target) => ({ caller, target, expected: expectedStatus(path, sample, caller, target) })),
  );
}

function isTried({ fate, role, home }: Caller, { place, isRandom }: Target): boolean {
  if (fate === 'refused') return place === home || isRandom === true;
  return place !== undefined || role === 'viewer' || role === 'admin';
}

/** Sends all cells and answers what came back, each checked against the served document. */
export function sendAll(door: Door, cells: readonly Cell[]): Promise<Reply[]> {
  return inParallel(cells, (cell) => send(door, cell));
}

async function send({ url, method, path, sample }: Door, { caller, target, expected }: Cell): Promise<Reply> {
  const fresh = expected < 400 && target.place ? await sample.fresh?.(target.place, caller) : undefined;
  const address = filled(path, { ...target.params, ...fresh?.params });
  const reply = await exchange(url, {
    method,
    path: address + (sample.query ?? ''),
    key: fresh?.key ?? caller.key,
    body: fresh?.body ?? sample.body?.(caller.home, caller),
    // A refused request has to leave no claim on its idempotency key either.
    headers: { ...(method === 'POST' ? { 'idempotency-key': randomUUID() } : {}), ...sample.headers },
  });
  await checkOnce(url, method, address, path, reply);
  return reply;
}

const CHECKED = new Set<string>();

/** Holds an answer against the served document, unless the very same was held against it for this route before. */
async function checkOnce(
  url: string,
  method: string,
  address: string,
  path: string,
  reply: Reply,
): Promise<void> {
  const known = `${url} ${method} ${path} ${comparable(reply)}`;
  if (CHECKED.has(known)) return;
  const { status, headers, text } = reply;
  await checkAgainstDocument(url, method, address, {
    status,
    headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
    body: text.startsWith('{') ? JSON.parse(text) : undefined,
  });
  CHECKED.add(known);
}

/** The cells that were answered otherwise than the oracle says, each as a sentence. */
export function surprises(cells: readonly Cell[], replies: readonly Reply[]): string[] {
  return cells.flatMap(({ caller, target, expected }, i) => {
    const { status, text } = replies[i] as Reply;
    return status === expected
      ? []
      : [`${caller.name} → ${target.name}: ${expected} expected, got ${status} ${text}`];
  });
}

/** The answers of one status that are not, byte for byte, the one that is expected. */
export function oddOnes(status: number, replies: readonly Reply[], model: string): string[] {
  return replies
    .filter((reply) => reply.status === status)
    .map(comparable)
    .filter((text) => text !== model);
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** Ids of what a caller does not see that stand in his answer all the same. */
export function leaks(world: TenancyWorld, { caller }: Pick<Cell, 'caller'>, { text }: Reply): string[] {
  const hidden = hiddenFrom(caller, world);
  const told = (text.match(UUID) ?? []).filter((id) => hidden.has(id));
  return told.map((id) => `${caller.name} was told of ${id}`);
}

const HIDDEN = new WeakMap<Caller, ReadonlySet<string>>();

function hiddenFrom(caller: Caller, world: TenancyWorld): ReadonlySet<string> {
  const known = HIDDEN.get(caller);
  if (known) return known;
  const places = PLACES.map((name) => world[name]);
  const seen = new Set(places.filter((place) => isAround(caller, place)).flatMap(idsOf));
  if (caller.fate === 'works') {
    const { organizationId } = caller.home;
    seen.add(caller.home.projectId).add(organizationId);
    for (const place of places) if (place.organizationId === organizationId) seen.add(place.priceId);
  }
  const hidden = new Set(places.flatMap(idsOf).filter((id) => !seen.has(id)));
  HIDDEN.set(caller, hidden);
  return hidden;
}

function isAround({ fate, scope, home }: Caller, place: Place): boolean {
  if (fate !== 'works' || place.organizationId !== home.organizationId) return false;
  if (scope === 'organization') return true;
  return scope === 'project' ? place.projectId === home.projectId : place === home;
}

function idsOf({ organizationId, projectId, agentId, keyId, looseCallId, priceId, runs }: Place): string[] {
  const below = runs.flatMap((run) => [
    run.id,
    ...run.stepIds,
    ...run.messageIds,
    ...run.callIds,
    ...run.checkpointIds,
  ]);
  return [organizationId, projectId, agentId, keyId, looseCallId, priceId, ...below];
}
