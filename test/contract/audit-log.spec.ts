import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  AUDIT_ACTIONS,
  AUDIT_ENTITIES,
  OPERATOR_PERMISSION,
  PERMISSIONS,
  type AnyPermission,
} from '@agentflow/contracts';
import { randomUUID } from 'node:crypto';
import { RouteCatalogue, type Route } from '../../apps/api/src/access/route-catalogue.js';
import { ROOT_KEY, anApi, type TestApi } from '../support/api.js';
import { connected } from '../support/database.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { exchange, type Reply } from '../support/matrix/exchange.js';
import { aTenancyWorld, type TenancyWorld } from '../support/matrix/places.js';
import { SAMPLES } from '../support/matrix/samples.js';
import type { Sample } from '../support/matrix/sample.js';
import { filled, thingsOf } from '../support/matrix/targets.js';

/** Doors of operators and admins that change something and are not told of, each with the reason. */
const NOT_TOLD: Readonly<Record<string, string>> = {};

interface Told {
  action: string;
  actor: string;
  tenant_id: string;
  key_id: string | null;
}

const nameOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`;

function asksFor({ access }: Route): AnyPermission | undefined {
  return access.kind === 'permission' ? access.permission : undefined;
}

function changes({ method }: Route): boolean {
  return !['GET', 'HEAD'].includes(method);
}

/** Whether only operators, admins or the operator of the installation come in there. */
function isDecisive(route: Route): boolean {
  const permission = asksFor(route);
  if (permission === undefined) return false;
  return permission === OPERATOR_PERMISSION || ['operator', 'admin'].includes(PERMISSIONS[permission].role);
}

describe('the audit log, over all doors', () => {
  let api: TestApi;
  let world: TenancyWorld;
  let admin: Caller;

  beforeAll(async () => {
    api = await anApi();
    world = await aTenancyWorld(api);
    admin = await aCaller('organization', 'admin', world.own);
  });
  afterAll(() => api.close());

  const changing = (): Route[] => api.app.get(RouteCatalogue).routes.filter(changes);

  /** Sends the sample of a door, as whoever may do the most; `headers` go along. */
  async function send(route: Route, headers: Record<string, string> = {}): Promise<Reply> {
    const sample = SAMPLES[nameOf(route)] as Sample;
    const caller: Caller =
      asksFor(route) === OPERATOR_PERMISSION ? { ...admin, fate: 'root', key: ROOT_KEY } : admin;
    const fresh = await sample.fresh?.(world.own, caller);
    const params = { ...thingsOf(world.own, route.path), ...fresh?.params };
    const sent = {
      ...{ method: route.method, path: filled(route.path, params) + (sample.query ?? '') },
      ...{ key: fresh?.key ?? caller.key, body: fresh?.body ?? sample.body?.(world.own, caller) },
      headers: { ...sample.headers, ...headers },
    };
    const reply = await exchange(api.url, sent);
    expect([nameOf(route), reply.status, reply.text]).toEqual([nameOf(route), sample.status, reply.text]);
    return reply;
  }

  /** What stands in the log about the request that was answered so. */
  async function toldOf({ headers }: Reply): Promise<Told[]> {
    const [, requestId] = headers.find(([name]) => name.toLowerCase() === 'x-request-id') ?? [];
    return connected(api.database.adminUrl, async (client) => {
      const { rows } = await client.query<Told>(
        'SELECT action, actor, tenant_id, key_id FROM audit_log WHERE request_id = $1 ORDER BY id',
        [requestId],
      );
      return rows;
    });
  }

  it('[X11] everything that an operator or an admin does is told, with who it was, or is on the list with a reason', async () => {
    const routes = changing().filter(isDecisive);
    expect(routes.length).toBeGreaterThan(12);
    const untold: string[] = [];
    for (const route of routes) {
      const told = await toldOf(await send(route));
      if (told.length === 0) untold.push(nameOf(route));
      const isRoot = asksFor(route) === OPERATOR_PERMISSION;
      const [actor] = new Set(told.map((one) => one.actor));
      expect([nameOf(route), actor]).toEqual([
        nameOf(route),
        told.length === 0 ? undefined : isRoot ? 'root' : 'key',
      ]);
    }
    expect(untold.sort()).toEqual(Object.keys(NOT_TOLD).sort());
  });

  it('[X11] [I1] a request that is sent again with its Idempotency-Key is told once', async () => {
    const routes = changing().filter((route) => isDecisive(route) && route.method === 'POST');
    for (const route of routes) {
      const sample = SAMPLES[nameOf(route)] as Sample;
      const again = { 'idempotency-key': randomUUID() };
      const isRoot = asksFor(route) === OPERATOR_PERMISSION;
      const key = isRoot ? ROOT_KEY : admin.key;
      const fresh = await sample.fresh?.(world.own, admin);
      const path = filled(route.path, { ...thingsOf(world.own, route.path), ...fresh?.params });
      const body = fresh?.body ?? sample.body?.(world.own, admin);
      const both = [0, 1].map(() => ({ method: route.method, path, key, body, headers: again }));
      const first = await exchange(api.url, both[0] as (typeof both)[0]);
      const second = await exchange(api.url, both[1] as (typeof both)[0]);
      expect([nameOf(route), first.status, second.status]).toEqual([
        nameOf(route),
        sample.status,
        sample.status,
      ]);
      expect([nameOf(route), await toldOf(second)]).toEqual([nameOf(route), []]);
    }
  });

  it('what agents report is told by the logs of their runs, and not here', async () => {
    const reporting = changing().filter((route) => {
      const permission = asksFor(route);
      return permission === 'runs:report';
    });
    expect(reporting.length).toBeGreaterThan(15);
    const told: string[] = [];
    for (const route of reporting) {
      const acts = (await toldOf(await send(route))).map(({ action }) => action);
      // An agent that is named for the first time is made by that.
      if (acts.some((action) => action !== 'agent.created'))
        told.push(`${nameOf(route)}: ${acts.join(', ')}`);
    }
    expect(told).toEqual([]);
  });

  it('every action is about a kind of thing that is listed, and every such kind has an action', () => {
    const kinds = AUDIT_ACTIONS.map((action) => action.slice(0, action.indexOf('.')));
    expect([...new Set(kinds)].sort()).toEqual([...AUDIT_ENTITIES].sort());
  });
});
