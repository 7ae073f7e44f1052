import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Answer } from '../support/client.js';
import type { Place } from '../support/matrix/places.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { aPlaceToPost, aPost, grownBy, rowCounts, type Post } from '../support/posts.js';
import { anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

/** Routes of each kind: a creation, a move, a child, a key, an organization. */
const PATHS = [
  '/v1/runs',
  '/v1/runs/:run_id/cancel',
  '/v1/runs/:run_id/steps',
  '/v1/runs/:run_id/tool-calls/complete',
  '/v1/agents/:agent_id/versions/:version/restore',
  '/v1/api-keys',
  '/v1/organizations',
];

describe('the same request many times at once', () => {
  let apis: ApiPair;
  let truth: Truth;
  let place: Place;
  beforeAll(async () => {
    apis = await aPairOfApis({ AGENTFLOW_LOCK_TIMEOUT_MS: '500' });
    truth = theTruth(apis.first.database);
    place = await aPlaceToPost(apis.first);
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const send = ({ path, body, key }: Post, idempotencyKey: string, i = 0): Promise<Answer> =>
    (i % 2 ? apis.second : apis.first).as(key).post(path, body, { 'idempotency-key': idempotencyKey });
  const isReplay = ({ headers }: Answer): boolean => headers.get('idempotency-replayed') === 'true';

  it.each(PATHS)('[I2] POST %s, 30 times at once over two instances, has one effect', async (path) => {
    const undisturbed = await aPost(place, path);
    const start = await rowCounts(truth);
    await send(undisturbed, randomUUID());
    const effect = grownBy(start, await rowCounts(truth));

    const post = await aPost(place, path);
    const key = randomUUID();
    const before = await rowCounts(truth);
    const answers = await Promise.all(Array.from({ length: 30 }, (_answer, i) => send(post, key, i)));
    expect(grownBy(before, await rowCounts(truth))).toEqual(effect);

    const waiting = answers.filter(({ status }) => status === 409);
    for (const answer of waiting) {
      expect([answer.body.code, answer.headers.get('retry-after')]).toEqual(['idempotency.in_progress', '1']);
    }
    const done = answers.filter((answer) => !waiting.includes(answer));
    const [first, ...others] = done.filter((answer) => !isReplay(answer));
    expect(others).toEqual([]);
    const withheld = first?.text.replace(/"key":"af_[^"]+"/, '"key":null');
    for (const answer of [...done.filter(isReplay), await send(post, key)]) {
      expect([answer.status, answer.text]).toEqual([first?.status, withheld]);
    }
  });

  it('[I2] Who meets a request that is still under way is told to come back, and then gets its answer', async () => {
    const agent_id = (await anAgent(apis.first.admin)).id;
    const key = randomUUID();
    const organization = (await apis.first.admin.get('/v1/me')).body.organization.id;
    const rival = new pg.Client({ connectionString: apis.first.database.adminUrl });
    await rival.connect();
    // A request of another instance that has taken the key and is not through.
    await rival.query('BEGIN');
    await rival.query(
      `INSERT INTO idempotency_keys (tenant_id, scope_id, key, method, route, request_digest)
       VALUES ($1, $1, $2, 'POST', '/v1/runs', $3)`,
      [organization, key, Buffer.alloc(32)],
    );
    const post = { path: '/v1/runs', body: JSON.stringify({ agent_id }), key: apis.first.adminKey };
    const early = await send(post, key);
    expect([early.status, early.body.code]).toEqual([409, 'idempotency.in_progress']);
    expect(early.headers.get('retry-after')).toBe('1');
    await rival.query('ROLLBACK');
    await rival.end();
    const [done, replay] = [await send(post, key), await send(post, key, 1)];
    expect([done.status, isReplay(done), replay.text, isReplay(replay)]).toEqual([
      201,
      false,
      done.text,
      true,
    ]);
    expect(await truth.count('runs', 'agent_id = $1', [agent_id])).toBe(1);
  });

  it('[I2] Of different requests under one key at once, one is carried out and the others are refused', async () => {
    const agent_id = (await anAgent(apis.first.admin)).id;
    for (let round = 0; round < 10; round++) {
      const key = randomUUID();
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_answer, i) => {
          const body = JSON.stringify({ agent_id, name: `${round}.${i}` });
          return send({ path: '/v1/runs', body, key: apis.first.adminKey }, key, i);
        }),
      );
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
      for (const { body, status } of answers) {
        if (status !== 201) expect(body.code).toMatch(/^idempotency\.(key_reused|in_progress)$/);
      }
    }
    expect(await truth.count('runs', 'agent_id = $1', [agent_id])).toBe(10);
  });
});
