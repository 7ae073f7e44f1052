import { randomUUID } from 'node:crypto';
import { aKey, aProject } from '../things.js';
import { keyMembers } from './callers.js';
import {
  PLACES,
  aFullRun,
  aPlace,
  type Place,
  type PlaceName,
  type RunOfPlace,
  type TenancyWorld,
} from './places.js';
import type { PathParameters } from './sample.js';

/** What a path points at. */
export interface Target {
  readonly name: string;
  readonly params: PathParameters;
  /** Where the thing lives; absent when there is no such thing. */
  readonly place?: Place;
  /** Where it lived before it was deleted. */
  readonly former?: Place;
  /** There never was such a thing. */
  readonly isRandom?: true;
}

/** What the parameters of a path may name in a place. */
export function thingsOf(place: Place, path: string, run: RunOfPlace = place.run): Record<string, string> {
  const all: Record<string, string> = {
    project_id: place.projectId,
    agent_id: place.agentId,
    key_id: place.keyId,
    price_id: place.priceId,
    version: '1',
    run_id: run.id,
    other_run_id: run.id,
    step_id: run.stepIds[1] as string,
    call_id: path.includes(':run_id') ? (run.callIds[1] as string) : place.looseCallId,
    approval_id: run.approvalId as string,
    bulk_action_id: place.bulkActionId,
    index: '1',
  };
  return Object.fromEntries(parametersOf(path).map((name) => [name, all[name] as string]));
}

/** The names of a path's parameters, as far as they name something of ours. */
export function parametersOf(path: string): string[] {
  return [...path.matchAll(/:(?!their_)(\w+)/g)].map(([, name]) => name as string);
}

/** The path with its parameters filled in, as they are. */
export function filled(path: string, params: PathParameters): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => params[name] ?? randomUUID());
}

/** Things that were there and were deleted: a run of A1; an agent with its versions, calls and key; a project. */
export interface Deleted {
  readonly place: Place;
  readonly run: RunOfPlace;
  readonly keyId: string;
}

export async function deletedThings({ own }: TenancyWorld): Promise<Deleted> {
  const run = await aFullRun(own.admin, own.agentId, 'running');
  await own.admin.delete(`/v1/runs/${run.id}?force=true`);
  const place = await aPlace(own, (await aProject(own.admin)).id as string, []);
  const { id } = await aKey(own.admin, keyMembers('project', place));
  await own.admin.delete(`/v1/model-prices/${place.priceId}`);
  await own.admin.delete(`/v1/projects/${place.projectId}?cascade=true`);
  return { place, run, keyId: id as string };
}

const MALFORMED_IDS = [
  '%zz',
  '%C3%28',
  'x'.repeat(300),
  'x',
  '%00',
  '00000000-0000-0000-0000-000000000000',
  '..%2Fme',
  '*',
  'null',
  '1',
  'latest,',
];
const MALFORMED_NUMBERS = ['-1', '01', '1.0', '9999999999', '0x1', '1e0', '%31x', 'null'];

/** Every kind of thing that a path can point at. The malformed ones take turns, by `turn`. */
export function targetsOf(path: string, world: TenancyWorld, deleted: Deleted, turn: number): Target[] {
  const names = parametersOf(path);
  if (names.length === 0) return [{ name: 'itself', params: {}, place: world.own }];
  const own = thingsOf(world.own, path);
  const isNumber = (name: string): boolean => name === 'version' || name === 'index';
  const turned = (list: string[], i: number): string => list[(turn + i) % list.length] as string;
  const formerOf = names.includes('run_id') ? world.own : deleted.place;
  return [
    ...PLACES.map((name: PlaceName) => ({ name, params: thingsOf(world[name], path), place: world[name] })),
    ...names.map((name) => ({
      name: `a random ${name}`,
      isRandom: true as const,
      params: { ...own, [name]: isNumber(name) ? '4711' : randomUUID() },
    })),
    ...names.map((name, i) => ({
      name: `a malformed ${name}`,
      params: { ...own, [name]: turned(isNumber(name) ? MALFORMED_NUMBERS : MALFORMED_IDS, i) },
    })),
    {
      name: 'deleted',
      params: {
        ...thingsOf(formerOf, path, deleted.run),
        ...(names.includes('key_id') ? { key_id: deleted.keyId } : {}),
      },
      former: formerOf,
    },
  ];
}
