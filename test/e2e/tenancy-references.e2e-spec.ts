import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { aCaller, type Caller } from '../support/matrix/callers.js';
import { tableDigests } from '../support/matrix/digest.js';
import { comparable, exchange } from '../support/matrix/exchange.js';
import { aTenancyWorld, type RunOfPlace, type TenancyWorld } from '../support/matrix/places.js';
import { REFERENCES, type Reference } from '../support/matrix/references.js';
import { filled, thingsOf } from '../support/matrix/targets.js';

/** Ids in bodies that refer to nothing that is there already. */
const NO_REFERENCES = ['id', 'lease_token'];

/** The part of an OpenAPI document that tells of bodies. */
interface Description {
  paths: Record<
    string,
    Record<string, { requestBody?: { content: { 'application/json': { schema: { $ref: string } } } } }>
  >;
  components: { schemas: Record<string, { properties?: Record<string, { format?: string }> }> };
}

describe('references in bodies', () => {
  let api: TestApi;
  let superuser: pg.Client;
  let world: TenancyWorld;
  let callers: Caller[];
  let notFound: string;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
    world = await aTenancyWorld(api);
    callers = [
      await aCaller('organization', 'admin', world.own),
      await aCaller('project', 'admin', world.own),
      await aCaller('agent', 'admin', world.own),
    ];
    const missing = { method: 'GET', path: `/v1/runs/${randomUUID()}`, key: api.adminKey };
    notFound = comparable(await exchange(api.url, missing));
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  /** Things that this caller does not see, or that belong to another run of his. */
  function strays({ scope }: Caller, { thing, isOfRun }: Reference): string[] {
    const unseen = [
      world.foreign,
      ...(scope === 'organization' ? [] : [world.siblingProject]),
      ...(scope === 'agent' ? [world.siblingAgent] : []),
    ];
    const others = world.own.runs.filter((run) => run !== world.own.run);
    const ofOthers = isOfRun ? others.map((run: RunOfPlace) => run.stepIds[1] as string) : [];
    return [...new Set([...unseen.map(thing), ...ofOthers])].filter((id) => id !== thing(world.own));
  }

  it.each(REFERENCES)(
    '[T4] [T5] $route: $member to what is out of sight is as good as none',
    async (reference) => {
      const { route, member, rest } = reference;
      const [method = '', path = ''] = route.split(' ');
      const address = filled(path, thingsOf(world.own, path));
      const before = await tableDigests(superuser);
      for (const caller of callers) {
        const ask = async (id: string) =>
          comparable(
            await exchange(api.url, {
              method,
              path: address,
              key: caller.key,
              body: { ...rest(world.own), [member]: id },
            }),
          );
        const none = await ask(randomUUID());
        // Who may not create such a thing at all is told so, wherever it should go.
        if (!none.startsWith('[403,')) expect(none).toBe(notFound);
        for (const id of strays(caller, reference)) expect(await ask(id)).toBe(none);
      }
      expect(await tableDigests(superuser)).toEqual(before);
    },
  );

  it('[T4] every id in a body that refers to something is tried', async () => {
    const { paths, components } = (await api.admin.get('/openapi.json')).body as Description;
    const references = Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { requestBody }]) => {
        const name = requestBody?.content['application/json'].schema.$ref?.split('/').at(-1);
        const members = Object.entries(components.schemas[name ?? '']?.properties ?? {});
        const route = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`;
        return members
          .filter(([member, { format }]) => format === 'uuid' && !NO_REFERENCES.includes(member))
          .map(([member]) => `${route} ${member}`);
      }),
    );
    const tried = new Set(REFERENCES.map(({ route, member }) => `${route} ${member}`));
    expect(references.sort()).toEqual([...tried].sort());
  });

  it('[T5] own things that do not belong together make nothing', async () => {
    const before = await tableDigests(superuser);
    const { own, siblingProject } = world;
    for (const body of [
      { agent_id: own.agentId, project_id: siblingProject.projectId },
      { agent_id: siblingProject.agentId, project_id: own.projectId },
      { agent_id: world.foreign.agentId, project_id: own.projectId },
      { agent_id: own.agentId, project_id: world.foreign.projectId },
      { agent_id: own.agentId, project_id: world.foreign.projectId, parent_run_id: own.run.id },
    ]) {
      const sent = { method: 'POST', path: '/v1/runs', key: api.adminKey, body };
      expect(comparable(await exchange(api.url, sent))).toBe(notFound);
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });

  it("[T4] an agent's key registers and names no other agent", async () => {
    const { key } = await aCaller('agent', 'admin', world.own);
    const before = await tableDigests(superuser);
    const names = [randomUUID()];
    for (const { admin, agentId } of [world.siblingAgent, world.siblingProject, world.foreign]) {
      names.push((await admin.get(`/v1/agents/${agentId}`)).body.name);
    }
    for (const name of names) {
      const sent = { method: 'POST', path: '/v1/runs', key, body: { agent: { name, adapter: 'custom' } } };
      expect(comparable(await exchange(api.url, sent))).toBe(notFound);
    }
    expect(await tableDigests(superuser)).toEqual(before);
  });
});
