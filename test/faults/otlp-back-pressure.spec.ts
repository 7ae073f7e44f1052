import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { aDatabaseDoor, type DatabaseDoor } from '../support/database-door.js';
import { ENCODINGS, MEDIA_TYPES, aTrace, aTraceId, exportTo, runIdOf } from '../support/otlp.js';
import { shownTrace } from '../support/shown-trace.js';

describe('OTLP while the database cannot be reached', () => {
  let [database, door, api]: [TestDatabase?, DatabaseDoor?, TestApi?] = [];
  beforeAll(async () => {
    database = await aDatabase();
    door = await aDatabaseDoor(database);
    api = await anApi(
      { AGENTFLOW_POOL_SIZE: '2', AGENTFLOW_POOL_TIMEOUT_MS: '300', AGENTFLOW_LOCK_TIMEOUT_MS: '10000' },
      door.database,
    );
  });
  afterAll(async () => {
    await api?.close();
    await door?.close();
    await database?.drop();
  });

  it.each(ENCODINGS)(
    '[O8] In %s it is told 503 and when to come back, and nothing is lost',
    async (encoding) => {
      const [at, through] = [api as TestApi, door as DatabaseDoor];
      const traceId = aTraceId();
      const spans = aTrace(traceId);
      expect((await exportTo(at, aTrace(), { encoding })).status).toBe(200);
      through.shut();
      try {
        const answers = await Promise.all([1, 2, 3].map(() => exportTo(at, spans, { encoding })));
        for (const { status, code, retryAfter, mediaType } of answers) {
          expect([status, code, Number(retryAfter) > 0]).toEqual([503, 14, true]);
          expect(mediaType).toContain(MEDIA_TYPES[encoding]);
        }
      } finally {
        through.open();
      }
      expect((await exportTo(at, spans, { encoding })).status).toBe(200);
      expect((await shownTrace(at.admin, traceId)).totals).toMatchObject({ steps: 1, tokens_in: 5 });
    },
  );

  it('[O8] With every connection in use it is told 503 and when to come back', async () => {
    const at = api as TestApi;
    const traceId = aTraceId();
    const spans = aTrace(traceId);
    await exportTo(at, spans);
    await connected((database as TestDatabase).adminUrl, async (holder) => {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM runs WHERE id = $1 FOR UPDATE', [runIdOf(traceId)]);
      const waiting = Array.from({ length: 8 }, () => exportTo(at, spans));
      const first = await Promise.race(waiting);
      expect([first.status, first.code, Number(first.retryAfter) > 0]).toEqual([503, 14, true]);
      await holder.query('ROLLBACK');
      for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
    });
    expect((await shownTrace(at.admin, traceId)).totals).toMatchObject({ steps: 1, tokens_in: 5 });
  });
});
