import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeKey, parseKey } from '@agentflow/domain';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';
import { aFailedStart, anApiProcess } from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { pages, textOf } from '../support/markdown.js';

const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);
const aFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'agentflow-test-'));

describe('a start that would not be safe', () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await aDatabase();
  });
  afterAll(() => database.drop());

  const settings = async (): Promise<Record<string, string>> => ({
    DATABASE_URL: database.appUrl,
    AGENTFLOW_WORKER: 'off',
    AGENTFLOW_DATA_DIR: await aFolder(),
  });

  it('[K16] does not happen: every weak secret and every switch that does not exist is told at once', async () => {
    const bootstrapKey = composeKey('organization', letters(12), letters(43));
    const { code, text } = await aFailedStart({
      ...(await settings()),
      AGENTFLOW_ROOT_KEY: 'changeme',
      AGENTFLOW_BOOTSTRAP_KEY: 'af_org_4esMxcX0g9jF_changeme',
      AGENTFLOW_MIGRATION_URL_FILE: join(await aFolder(), 'nothing'),
      AGENTFLOW_AUTH: 'off',
      AGENTFLOW_ALLOW_ANONYMOUS: 'true',
      AGENTFLOW_API_TOKEN: bootstrapKey,
    });
    expect(code).toBe(1);
    expect(text).toContain('6 fault(s)');
    for (const name of [
      'ROOT_KEY',
      'BOOTSTRAP_KEY',
      'MIGRATION_URL_FILE',
      'AUTH',
      'ALLOW_ANONYMOUS',
      'API_TOKEN',
    ])
      expect(text).toMatch(new RegExp(`^ {2}- AGENTFLOW_${name} `, 'm'));
    expect(text).not.toMatch(/changeme|running at/);
    expect(text).not.toContain(bootstrapKey.slice(20));
  }, 60_000);

  it('[K16] [T18] does not happen where row security would not hold', async () => {
    const alter = (what: string): Promise<unknown> =>
      connected(database.adminUrl, (client) => client.query(`ALTER TABLE runs ${what} ROW LEVEL SECURITY`));
    await alter('NO FORCE');
    const { code, text } = await aFailedStart(await settings());
    await alter('FORCE');
    expect([code, text]).toEqual([1, expect.stringContaining('Row security is not forced on: runs')]);
    expect(text).not.toContain('running at');
  }, 60_000);

  it('[K16] what nobody has set is safe: loopback only, no operator, a key of its own in a file of its owner', async () => {
    const folder = await aFolder();
    const file = join(folder, 'credentials.json');
    await writeFile(file, '{"url":"http://127.0.0.1:1"}');
    await chmod(file, 0o666);
    const api = await anApiProcess({ ...(await settings()), AGENTFLOW_DATA_DIR: folder });
    try {
      expect(new URL(api.url).hostname).toBe('127.0.0.1');
      for (const address of otherAddresses())
        expect(await answersAt(address, new URL(api.url).port)).toBe(false);
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      const { key } = JSON.parse(await readFile(file, 'utf8')) as { key: string };
      expect(parseKey(key)?.kind).toBe('organization');
      const organization = { name: 'x', slug: 'x' };
      for (const credential of ['', 'root', 'changeme', 'undefined', 'null']) {
        const { status } = await aClient(api.url, credential).post('/v1/organizations', organization);
        expect([credential, status]).toEqual([credential, 401]);
      }
      expect((await aClient(api.url, key).post('/v1/organizations', organization)).status).toBe(403);
      expect((await aClient(api.url, undefined).get('/v1/me')).status).toBe(401);
    } finally {
      await api.stop();
    }
  }, 60_000);

  it('[K16] no key that the documents show is one', () => {
    const texts = [
      ...pages().map(({ text }) => text),
      textOf('docs/openapi.json'),
      textOf('docker-compose.yml'),
    ];
    const shown = texts.flatMap((text) => text.match(/af_(org|prj|agt)_\w+/g) ?? []);
    expect(shown.length).toBeGreaterThan(0);
    expect(shown.filter((key) => parseKey(key) !== undefined)).toEqual([]);
    // A value after the name of a variable would be a secret that everybody knows.
    const set = texts.flatMap(
      (text) => text.match(/AGENTFLOW_(ROOT|BOOTSTRAP)_KEY[=:] ?["']?[\w-]{8,}/g) ?? [],
    );
    expect(set).toEqual([]);
  });
});

/** The addresses of this machine that others can reach. */
function otherAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === 'IPv4')
    .map(({ address }) => address);
}

function answersAt(host: string, port: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port: Number(port), timeout: 2_000 });
    for (const event of ['connect', 'error', 'timeout']) {
      socket.once(event, () => {
        socket.destroy();
        resolve(event === 'connect');
      });
    }
  });
}
