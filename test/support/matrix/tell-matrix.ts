import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { RouteCatalogue } from '../../../apps/api/src/access/route-catalogue.js';
import { anApi } from '../api.js';
import { allCallers } from './callers.js';
import { cellsOf, leaks, oddOnes, sendAll, surprises, type Cell, type Door } from './cells.js';
import { tableDigests } from './digest.js';
import { comparable, exchange, type Reply } from './exchange.js';
import { aTenancyWorld } from './places.js';
import { SAMPLES } from './samples.js';
import { deletedThings, targetsOf } from './targets.js';

/**
 * Tells Jest the whole matrix: every route of a running api with every key at every target. The routes are those of
 * the api, so that it has to run before its tests can be told one by one; `prepare` alters its database before.
 */
export async function tellMatrix(prepare: (superuser: pg.Client) => Promise<void>): Promise<void> {
  const api = await anApi();
  const superuser = new pg.Client({ connectionString: api.database.adminUrl });
  await superuser.connect();
  await prepare(superuser);
  const world = await aTenancyWorld(api);
  const deleted = await deletedThings(world);
  const callers = await allCallers(api, world);
  const routes = api.app.get(RouteCatalogue).routes.filter(({ access }) => access.kind !== 'public');

  const notFound = comparable(
    await exchange(api.url, {
      method: 'GET',
      path: `/v1/projects/${world.foreign.projectId}`,
      key: api.adminKey,
    }),
  );
  const unauthenticated = comparable(await exchange(api.url, { method: 'GET', path: '/v1/me' }));

  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  describe.each(routes.map(({ method, path, access }, turn) => ({ method, path, access, turn })))(
    '$method $path',
    ({ method, path, access, turn }) => {
      const sample = SAMPLES[`${method} ${path}`];
      if (!sample) {
        it('[T1] [K17] has a sample request in test/support/matrix', () => expect(sample).toBeDefined());
        return;
      }
      const door: Door = { url: api.url, method, path, sample };
      const cells = cellsOf(door, callers, targetsOf(path, world, deleted, turn));
      const leaksOf = (asked: Cell[], replies: Reply[]): string[] =>
        asked.flatMap((cell, i) => leaks(world, cell, replies[i] as Reply));

      it('[T1] asks for the permission that the design gives it', () => {
        expect(access).toEqual({ kind: 'permission', permission: sample.needs });
      });

      it('[T1] [T8] [K4] refuses every other key and target with the one answer, and writes nothing', async () => {
        const refused = cells.filter(({ expected }) => expected >= 400);
        const before = await tableDigests(superuser);
        const replies = await sendAll(door, refused);
        expect(surprises(refused, replies)).toEqual([]);
        const inOurForm = sample.refusesOtherwise ? [] : replies;
        expect(oddOnes(404, inOurForm, notFound)).toEqual([]);
        expect(oddOnes(401, inOurForm, unauthenticated)).toEqual([]);
        expect(leaksOf(refused, replies)).toEqual([]);
        expect(await tableDigests(superuser)).toEqual(before);
      });

      it('[T1] serves every key that sees the target and has the role', async () => {
        const served = cells.filter(({ expected }) => expected < 400);
        expect(served.length).toBeGreaterThan(0);
        const replies = await sendAll(door, served);
        expect(surprises(served, replies)).toEqual([]);
        expect(leaksOf(served, replies)).toEqual([]);
      });
    },
  );
}
