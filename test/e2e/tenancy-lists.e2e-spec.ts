import { PERMISSIONS, ROLES, SCOPE_KINDS, type Permission } from '@agentflow/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { comparable, exchange } from '../support/matrix/exchange.js';
import { LISTS, trueIds } from '../support/matrix/ground-truth.js';
import { PLACES, aTenancyWorld, type Place, type TenancyWorld } from '../support/matrix/places.js';
import { tableOf } from '../support/matrix/route-table.js';
import { SAMPLES } from '../support/matrix/samples.js';
import { filled, parametersOf, thingsOf } from '../support/matrix/targets.js';
import { everyRow } from '../support/pages.js';

describe('lists', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let callers: Caller[];

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    callers = [];
    for (const scope of SCOPE_KINDS) {
      for (const role of ROLES) callers.push(await aCaller(scope, role, world.own));
      callers.push(await aCaller(scope, 'admin', world.foreign));
    }
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  const sees = ({ scope, home }: Caller, place: Place): boolean =>
    home.organizationId === place.organizationId &&
    (scope === 'organization' || (scope === 'project' ? home.projectId === place.projectId : home === place));

  const sourcesOf = (list: string, caller: Caller): Place[] =>
    parametersOf(list).length === 0
      ? [caller.home]
      : PLACES.map((name) => world[name]).filter((place) => sees(caller, place));

  const mayRead = (list: string, { role }: Caller): boolean => {
    const needs = SAMPLES[`GET ${list}`]?.needs as Permission;
    return ROLES.indexOf(role) >= ROLES.indexOf(PERMISSIONS[needs].role);
  };

  describe.each(Object.keys(LISTS))('GET %s', (list) => {
    it('[T2] shows every key exactly its own, in order, on pages of any size', async () => {
      for (const caller of callers.filter((one) => mayRead(list, one))) {
        for (const place of sourcesOf(list, caller)) {
          const params = thingsOf(place, list);
          const truth = await trueIds(superuser, list, caller, Object.values(params)[0] ?? null);
          for (const limit of [2, 200]) {
            const rows = await everyRow(api.as(caller.key), filled(list, params), limit);
            expect(rows.map((row) => String(row.id ?? row.version))).toEqual(truth);
          }
        }
      }
    });

    it('[T6] takes no scope from a header, a body or a parameter', async () => {
      const caller = await aCaller('project', 'admin', world.own);
      const path = filled(list, thingsOf(world.own, list));
      const model = comparable(await exchange(api.url, { method: 'GET', path, key: caller.key }));
      const { organizationId, projectId } = world.foreign;
      const headers = {
        ...{ 'x-tenant-id': organizationId, 'x-organization-id': organizationId, 'x-project-id': projectId },
        ...{
          'x-agentflow-tenant': organizationId,
          'agentflow.tenant_id': organizationId,
          'x-scope': 'organization',
        },
      };
      const body = { tenant_id: organizationId, project_id: projectId };
      for (const smuggled of [{ headers }, { body }, { headers, body }]) {
        const reply = await exchange(api.url, { method: 'GET', path, key: caller.key, ...smuggled });
        expect(comparable(reply)).toBe(model);
      }
      for (const name of ['tenant_id', 'organization_id', 'scope', 'role', 'key_id']) {
        const { status, body: problem } = await api.as(caller.key).get(`${path}?${name}=${organizationId}`);
        expect([status, problem.errors?.[0].pointer]).toEqual([400, `?${name}`]);
      }
    });
  });

  it('[T2] every list that there is has a ground truth', async () => {
    const lists = [];
    for (const route of tableOf(api.app).filter((route) => route.startsWith('GET '))) {
      const path = route.slice(4);
      // Pages of one answer about two runs.
      if (path === '/v1/runs/:run_id/compare/:other_run_id') continue;
      const { body } = await api.admin.get(
        filled(path, thingsOf(world.own, path)) + (SAMPLES[route]?.query ?? ''),
      );
      if (body?.next_cursor !== undefined) lists.push(path);
    }
    expect(lists.sort()).toEqual(Object.keys(LISTS).sort());
  });

  it.each([
    ['/v1/runs', 'project_id', 'projectId'],
    ['/v1/runs', 'agent_id', 'agentId'],
    ['/v1/agents', 'project_id', 'projectId'],
  ] as const)('[T6] %s?%s= narrows what a key sees, and never widens it', async (list, name, member) => {
    const client = api.as((await aCaller('project', 'viewer', world.own)).key);
    const nobody = await client.get(`${list}?${name}=${randomUUID()}`);
    expect([nobody.status, nobody.body]).toEqual([200, { data: [], next_cursor: null }]);
    for (const place of [world.siblingProject, world.foreign]) {
      expect((await client.get(`${list}?${name}=${place[member]}`)).text).toBe(nobody.text);
    }
    const own = world.own[member];
    const found = (await client.get(`${list}?${name}=${own}&limit=200`)).body.data;
    expect(found.length).toBeGreaterThan(0);
    for (const query of [
      `${name}=${own}&${name}=${world.foreign[member]}`,
      `${name}[]=${world.foreign[member]}`,
      `${name}[$ne]=${own}`,
      `${name}=${own},${world.foreign[member]}`,
      `${name}=*`,
      `${name}=`,
    ]) {
      expect((await client.get(`${list}?${query}`)).status).toBe(400);
    }
  });

  it('[T6] the children of a foreign run, or the calls of a foreign step, are no more than those of none', async () => {
    const client = api.as((await aCaller('project', 'viewer', world.own)).key);
    const own = `/v1/runs/${world.own.run.id}/tool-calls`;
    for (const { run } of [world.siblingProject, world.foreign]) {
      for (const [foreign, none] of [
        [`/v1/runs?parent_run_id=${run.id}`, `/v1/runs?parent_run_id=${randomUUID()}`],
        [`${own}?step_id=${run.stepIds[1]}`, `${own}?step_id=${randomUUID()}`],
      ] as const) {
        expect((await client.get(foreign)).text).toBe((await client.get(none)).text);
      }
    }
  });
});
