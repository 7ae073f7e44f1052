import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { anApi, type TestApi } from '../support/api.js';
import { doorsOf, type Door } from '../support/doors/doors.js';
import { aSample, clientFor, type Sample } from '../support/doors/samples.js';
import { everythingStored } from '../support/doors/stored.js';
import { head, rawExchange, type RawAnswer } from '../support/raw-http.js';

/** Media types that are not JSON in UTF-8, and spellings that only look like it. */
const OTHERS = [
  ...['text/plain', 'text/json', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'],
  ...[
    'application/vnd.api+json',
    'application/x-ndjson',
    'application/octet-stream',
    '*/*',
    'garbage',
    '',
    ';',
  ],
  ...[
    'application/json\ta',
    'application/json x',
    'application/jsonx',
    'application/json/x',
    '"application/json"',
  ],
  ...[
    'application/json, text/plain',
    'application/json; charset=utf-16le',
    'application/json; charset=latin1',
  ],
  ...[
    'application/json; charset="utf-8',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json;',
  ],
];
const SAME = [
  ...['application/json', 'Application/JSON', ' application/json ', 'application/json; charset=utf-8'],
  ...['application/json;charset=UTF-8', 'application/json ; charset="utf-8"'],
];

describe('what a body says that it is', () => {
  let api: TestApi;
  let doors: Door[];
  const samples = new Map<Door, Sample>();
  beforeAll(async () => {
    api = await anApi();
    doors = await doorsOf(api.url);
    for (const door of doors.filter(({ hasBody }) => hasBody)) samples.set(door, await aSample(api, door));
  });
  afterAll(() => api.close());

  /** Sends a body to a door exactly as given. */
  async function send(
    door: Door,
    path: string,
    body: string | Buffer,
    ...headers: string[]
  ): Promise<RawAnswer> {
    const bytes = Buffer.from(body);
    const length = `Content-Length: ${bytes.length}`;
    const start = head(door.method, path, clientFor(api, door).key, length, ...headers);
    const [answer] = (await rawExchange(api.url, [start, bytes])).answers;
    if (!answer) throw new Error(`${door.id} did not answer`);
    return answer;
  }

  const oneDoor = (): [Door, Sample] => {
    const door = doors.find(({ id }) => id === 'projects_create') as Door;
    return [door, samples.get(door) as Sample];
  };

  it('[V8] Anything but JSON in UTF-8 gets 415, at every door, and nothing is stored', async () => {
    const before = await everythingStored(api.database);
    const wrong: string[] = [];
    for (const [door, { path, body }] of samples) {
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined, '', 'garbage']) {
        const headers = type === undefined ? [] : [`Content-Type: ${type}`];
        const { status, text } = await send(door, path, JSON.stringify(body), ...headers);
        if (status !== 415) wrong.push(`${door.id} ${type}: ${status} ${text}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(await everythingStored(api.database)).toEqual(before);
  });

  it('[V8] A media type is read exactly: what only resembles JSON is 415, other spellings of it are JSON', async () => {
    const [door, { path }] = oneDoor();
    for (const type of OTHERS) {
      const { status, headers } = await send(door, path, '{"name":"x"}', `Content-Type: ${type}`);
      expect([type, status]).toEqual([type, 415]);
      expect(headers['content-type']).toBe('application/problem+json; charset=utf-8');
    }
    for (const type of SAME) {
      const { status } = await send(
        door,
        path,
        JSON.stringify({ name: `as ${type}` }),
        `Content-Type: ${type}`,
      );
      expect([type, status]).toEqual([type, 201]);
    }
  });

  it('[V8] [R2] A compressed body gets 415, whatever is in it', async () => {
    const wrong: string[] = [];
    for (const [door, { path, body }] of samples) {
      for (const encoding of ['gzip', 'GZIP', 'deflate', 'br', 'gzip, gzip', 'identity, gzip', 'x']) {
        const bytes = gzipSync(JSON.stringify(body));
        const { status } = await send(
          door,
          path,
          bytes,
          'Content-Type: application/json',
          `Content-Encoding: ${encoding}`,
        );
        if (status !== 415) wrong.push(`${door.id} ${encoding}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    const [door, { path, body }] = oneDoor();
    const plain = ['Content-Type: application/json', 'Content-Encoding: identity'];
    expect((await send(door, path, JSON.stringify(body), ...plain)).status).toBe(201);
  });

  it('[V8] [F3] Bytes that are no UTF-8 are refused and not replaced: broken, overlong, surrogates, Latin-1', async () => {
    const [door, { path }] = oneDoor();
    for (const hex of [
      'ff',
      'c3',
      'c080',
      'e08080',
      'eda080',
      'edb080',
      'f8888080',
      'f4908080',
      'e9',
      '80',
    ]) {
      const body = Buffer.concat([Buffer.from('{"name":"a'), Buffer.from(hex, 'hex'), Buffer.from('"}')]);
      const answer = await send(door, path, body, 'Content-Type: application/json');
      expect([hex, answer.status, JSON.parse(answer.text).errors]).toEqual([
        hex,
        400,
        [{ pointer: '', detail: 'The body is not UTF-8.' }],
      ]);
    }
  });

  it('[V8] No body is an empty one: it is enough where nothing is due, and misses what is due elsewhere', async () => {
    for (const [door, { path }] of samples) {
      const isDue = door.fields.some(({ isRequired, path: [, below] }) => isRequired && !below);
      for (const headers of [
        [],
        ['Content-Length: 0'],
        ['Content-Length: 0', 'Content-Type: application/json'],
      ]) {
        const start = head(door.method, path, clientFor(api, door).key, ...headers);
        const answer = (await rawExchange(api.url, [start])).answers[0] as RawAnswer;
        if (isDue) expect([door.id, headers, answer.status]).toEqual([door.id, headers, 400]);
        else expect([door.id, answer.status < 500]).toEqual([door.id, true]);
      }
    }
  });

  it('[V8] A body that a door does not ask for is read like any other: JSON in UTF-8, and empty', async () => {
    const door = doors.find(({ id }) => id === 'agentVersions_restore') as Door;
    const { path } = await aSample(api, door);
    const json = 'Content-Type: application/json';
    for (const [body, type, status] of [
      ['{}', json, 200],
      ['{"x":1}', json, 400],
      ['[]', json, 400],
      ['{', json, 400],
      ['{}', 'Content-Type: text/plain', 415],
    ] as const) {
      expect([body, type, (await send(door, path, body, type)).status]).toEqual([body, type, status]);
    }
  });
});
