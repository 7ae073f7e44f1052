import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { anApi, type TestApi } from '../support/api.js';
import { sendAndLose } from '../support/cutting-proxy.js';
import type { Place } from '../support/matrix/places.js';
import { bodyOf } from '../support/matrix/raw-socket.js';
import { tableOf } from '../support/matrix/route-table.js';
import { POST_PATHS, aPlaceToPost, aPost, grownBy, rowCounts, type Post } from '../support/posts.js';
import { theTruth, type Truth } from '../support/truth.js';
import { OF_OTHERS } from '../support/matrix/samples.js';

/** Bytes of the reply that get through: none, half a status line, half the headers, half a body, and all. */
const CUTS = [0, 9, 200, 700, Infinity];

describe('a POST that is sent again because its answer was lost', () => {
  let api: TestApi;
  let truth: Truth;
  let place: Place;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    place = await aPlaceToPost(api);
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const requestOf = ({ path, key, body }: Post, idempotencyKey: string): string =>
    [
      ...[`POST ${path} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${key}`, 'Connection: close'],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ...[`Idempotency-Key: ${idempotencyKey}`, '', body],
    ].join('\r\n');
  const repeat = (post: Post, idempotencyKey: string) =>
    api.as(post.key).post(post.path, post.body, { 'idempotency-key': idempotencyKey });

  /** What one undisturbed request to the route brings about. */
  async function effectOf(path: string): Promise<Record<string, number>> {
    const post = await aPost(place, path);
    const before = await rowCounts(truth);
    await repeat(post, randomUUID());
    return grownBy(before, await rowCounts(truth));
  }

  it('Every route that is posted to is tried', () => {
    const posted = tableOf(api.app).flatMap((name) => (name.startsWith('POST ') ? [name.slice(5)] : []));
    expect(posted.filter((path) => !OF_OTHERS.test(path)).sort()).toEqual([...POST_PATHS].sort());
  });

  it.each(POST_PATHS)(
    '[I1] [K3] POST %s has one effect and the same answer, without its secrets',
    async (path) => {
      const effect = await effectOf(path);
      for (const cut of CUTS) {
        const post = await aPost(place, path);
        const idempotencyKey = randomUUID();
        const before = await rowCounts(truth);
        const lost = await sendAndLose(api.url, requestOf(post, idempotencyKey), cut);
        expect(lost.length).toBeLessThanOrEqual(cut);

        const replay = await repeat(post, idempotencyKey);
        expect([replay.status < 300, replay.headers.get('idempotency-replayed')]).toEqual([true, 'true']);
        expect(grownBy(before, await rowCounts(truth))).toEqual(effect);
        const second = await repeat(post, idempotencyKey);
        expect([second.status, second.text]).toEqual([replay.status, replay.text]);
        expect(second.headers.get('idempotency-replayed')).toBe('true');
        expect(grownBy(before, await rowCounts(truth))).toEqual(effect);
        if (cut === Infinity) {
          expect(lost.split(' ', 2)[1]).toBe(String(replay.status));
          expect(lost.toLowerCase()).not.toContain('idempotency-replayed');
          expect(withoutSecrets(bodyOf(lost))).toBe(replay.text);
        }
        expect(replay.text).not.toMatch(/"key":"/);
      }
    },
  );

  it.each(POST_PATHS)('[I1] POST %s has one effect when its client hangs up at once', async (path) => {
    const effect = await effectOf(path);
    const post = await aPost(place, path);
    const idempotencyKey = randomUUID();
    const before = await rowCounts(truth);
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    socket.write(requestOf(post, idempotencyKey));
    socket.destroySoon();
    const answers = [await repeat(post, idempotencyKey), await repeat(post, idempotencyKey)];
    expect(answers.map(({ status }) => status < 300)).toEqual([true, true]);
    expect(answers[1]?.headers.get('idempotency-replayed')).toBe('true');
    expect(grownBy(before, await rowCounts(truth))).toEqual(effect);
  });

  /** The body with `null` in the place of the key that it shows once. */
  function withoutSecrets(body: string): string {
    return body.replace(/"key":"af_[^"]+"/, '"key":null');
  }
});
