import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeKey } from '@agentflow/domain';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient, type Answer, type Client } from '../support/client.js';
import { aDatabase, connected, type TestDatabase } from '../support/database.js';
import { wholeText } from '../support/dump.js';
import { aKey, anAgent, anOrganization } from '../support/things.js';

const letters = (count: number): string => randomBytes(count).toString('hex').slice(0, count);

/** The part of a key that nobody can guess; before it stands what may be shown. */
const secretOf = (key: string): string =>
  key.startsWith('af_') ? key.slice('af_org_'.length + 13, -6) : key;

/**
 * How a text can be written down. Of base64, what stands in the middle whatever comes before and after it: the three
 * ways in which its bytes can fall into groups of three.
 */
function formsOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const grouped = [0, 1, 2].map((skipped) =>
    bytes.subarray(skipped, bytes.length - ((bytes.length - skipped) % 3)),
  );
  return [
    text,
    encodeURIComponent(text),
    [...bytes].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
    [...text].reverse().join(''),
    bytes.toString('hex'),
    ...grouped.flatMap((part) => [part.toString('base64'), part.toString('base64url')]),
  ].map((form) => form.toLowerCase());
}

describe('API keys at rest', () => {
  let database: TestDatabase;
  let api: ApiProcess;
  const rootKey = `root_${letters(40)}`;
  const bootstrapKey = composeKey('organization', letters(12), letters(43));
  /** Every key that there was, by what became of it. */
  const keys: Record<string, string> = { root: rootKey, bootstrap: bootstrapKey };
  let dataDir: string;

  beforeAll(async () => {
    database = await aDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'agentflow-test-'));
    api = await anApiProcess({
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_ROOT_KEY: rootKey,
      AGENTFLOW_BOOTSTRAP_KEY: bootstrapKey,
      AGENTFLOW_DATA_DIR: dataDir,
      AGENTFLOW_LOG_LEVEL: 'trace',
    });
    await live(aClient(api.url, bootstrapKey), aClient(api.url, rootKey));
    expect(await api.stop()).toBe(0);
  }, 60_000);
  afterAll(() => database.drop());

  /** Everything that can happen to keys, each noted. */
  async function live(admin: Client, root: Client): Promise<void> {
    const agent = await anAgent(admin);
    for (const target of [
      { scope: 'organization' },
      { scope: 'project', project_id: agent.project_id },
      { scope: 'agent', agent_id: agent.id },
    ]) {
      await liveIn(admin, target, agent.id as string);
    }
    keys.founded = (await anOrganization(root)).api_key.key;
    const founding = { name: 'once', slug: `o-${randomUUID()}` };
    keys['founded once'] = (await twice(root, '/v1/organizations', founding)).api_key.key;
    await admin.get(`/v1/me?api_key=${bootstrapKey}`);
    await aClient(api.url, rootKey).get('/v1/me');
  }

  async function liveIn(admin: Client, target: { scope: string }, agentId: string): Promise<void> {
    const as = (key: string): Client => aClient(api.url, key);
    const minted = await aKey(admin, target);
    await as(minted.key).get('/v1/me');
    await as(`${minted.key.slice(0, -1)}!`).get('/v1/me');
    const rotated = await twice(admin, `/v1/api-keys/${minted.id}/rotate`, { grace_seconds: 60 });
    await twice(as(rotated.key), '/v1/runs', { agent_id: agentId });
    const once = await twice(admin, '/v1/api-keys', { ...target, name: 'once', role: 'reporter' });
    const revoked = await aKey(admin, target);
    await admin.delete(`/v1/api-keys/${revoked.id}`);
    await as(revoked.key).get('/v1/me');
    for (const [name, { key }] of Object.entries({ minted, rotated, once, revoked })) {
      keys[`${name} ${target.scope}`] = key;
    }
  }

  /** The first answer to a POST with an idempotency key; the same is sent again, and then with other content. */
  async function twice(client: Client, path: string, body: object): Promise<Answer['body']> {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await client.post(path, body, headers);
    expect([path, first.status]).toEqual([path, 201]);
    expect((await client.post(path, body, headers)).status).toBe(201);
    expect((await client.post(path, { ...body, unlike: true }, headers)).status).toBeGreaterThanOrEqual(400);
    return first.body;
  }

  /** The keys that stand in a text in lower case, whole or by their secret part, in any form. */
  function keysIn(text: string): string[] {
    return Object.entries(keys)
      .filter(([, key]) => [key, secretOf(key)].flatMap(formsOf).some((form) => text.includes(form)))
      .map(([name]) => name);
  }

  it('[K2] a dump of the whole database holds no key in any form', async () => {
    const text = (await connected(database.adminUrl, wholeText)).toLowerCase();
    expect(text.length).toBeGreaterThan(10_000);
    expect(Object.keys(keys)).toHaveLength(16);
    expect(keysIn(text)).toEqual([]);
  });

  it('[K2] the log of a process at its most talkative holds no key in any form', () => {
    const { stdout, stderr } = api.output();
    const text = (stdout + stderr).toLowerCase();
    expect(stdout.split('\n').length).toBeGreaterThan(30);
    expect(keysIn(text)).toEqual([]);
  });

  it('[K2] of every key that the database knows it holds the 32 bytes of its SHA-256', async () => {
    const { rows } = await connected(database.adminUrl, (client) =>
      client.query<{ digest: Buffer }>('SELECT digest FROM api_keys'),
    );
    const stored = rows.map(({ digest }) => digest.toString('hex')).sort();
    const known = Object.entries(keys).filter(([name]) => name !== 'root');
    expect(stored.map((digest) => digest.length)).toEqual(known.map(() => 64));
    expect(stored).toEqual(known.map(([, key]) => createHash('sha256').update(key).digest('hex')).sort());
  });

  it('[K2] the search of this file finds a secret in each of its forms', async () => {
    const secret = letters(43);
    const bytes = Buffer.from(`x${secret}yz`);
    for (const written of [
      `a ${secret} b`,
      bytes.toString('hex'),
      bytes.toString('base64'),
      Buffer.from(`xy${secret}`).toString('base64url'),
      Buffer.from(`xyz${secret}`).toString('base64'),
    ]) {
      expect(formsOf(secret).some((form) => written.toLowerCase().includes(form))).toBe(true);
    }
    await connected(database.adminUrl, async (client) => {
      await client.query('BEGIN');
      await client.query(
        `UPDATE organizations SET settings = jsonb_build_object('deep', jsonb_build_array($1::text))`,
        [secret],
      );
      expect(await wholeText(client)).toContain(secret);
      await client.query('ROLLBACK');
    });
    expect(await readFile(join(dataDir, 'credentials.json'), 'utf8')).toContain(bootstrapKey);
  });
});
