import type { AnyPermission } from '@agentflow/contracts';
import { aKey, aProject } from '../things.js';
import { keyMembers, type Caller } from './callers.js';
import { aPlace, type Place } from './places.js';

/** The parameters of a path, by name. */
export type PathParameters = Readonly<Record<string, string>>;

/** A target that one request may use up. */
export interface Fresh {
  /** What stands in the path instead of the place's own things. */
  readonly params?: PathParameters;
  readonly body?: unknown;
  /** Who asks, when the target takes his own key along. */
  readonly key?: string;
}

/** How a route is called so that it succeeds for whoever may, and what the design says who that is. */
export interface Sample {
  readonly needs: AnyPermission;
  readonly status: 101 | 200 | 201 | 202 | 204 | 207;
  readonly headers?: Readonly<Record<string, string>>;
  /** Its refusals have the form of another's protocol. */
  readonly refusesOtherwise?: true;
  /** With the question mark. */
  readonly query?: string;
  /** A valid body of a caller at home in that place. */
  readonly body?: (home: Place, caller: Caller) => unknown;
  /** Makes a target in a place, for a request that cannot be carried out twice on one. */
  readonly fresh?: (at: Place, caller: Caller) => Promise<Fresh>;
  /** A deleted run answers 410 for a day to whoever would have seen it. */
  readonly isLateWrite?: true;
}

export type Samples = Readonly<Record<string, Sample>>;

/** An agent of its own in a place's project, for a request that ends it; an agent's key ends with its agent. */
export async function anAgentToEnd(at: Place, caller: Caller): Promise<Fresh> {
  const place = await aPlace(at, at.projectId, []);
  const params = { agent_id: place.agentId };
  return caller.scope === 'agent' ? { params, key: await sameKeyAt(place, caller) } : { params };
}

/** A project of its own with an agent in it, for a request that ends it; a project's key ends with its project. */
export async function aProjectToEnd(at: Place, caller: Caller): Promise<Fresh> {
  const place = await aPlace(at, (await aProject(at.admin)).id as string, []);
  const params = { project_id: place.projectId };
  return caller.scope === 'project' ? { params, key: await sameKeyAt(place, caller) } : { params };
}

async function sameKeyAt(place: Place, { scope, role }: Caller): Promise<string> {
  return (await aKey(place.admin, { ...keyMembers(scope, place), role })).key as string;
}
