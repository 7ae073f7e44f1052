import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import type { Answer, Client } from '../support/client.js';
import { tablesContaining } from '../support/matrix/text-search.js';
import { aKey, aProject, anAgent } from '../support/things.js';

describe('API keys', () => {
  let api: TestApi;
  let superuser: pg.Client;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
  });
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  it('A key is minted, shown, listed, used and revoked', async () => {
    const minted = await aKey(api.admin, { scope: 'organization', role: 'viewer', name: 'ci' });
    const { key, ...record } = minted;
    expect(record).toMatchObject({
      name: 'ci',
      scope: 'organization',
      role: 'viewer',
      project_id: null,
      revoked_at: null,
    });
    expect((await api.admin.get(`/v1/api-keys/${minted.id}`)).body).toEqual(record);
    expect((await api.admin.get('/v1/api-keys?limit=1')).body.data).toEqual([record]);
    expect((await api.as(key).get('/v1/me')).body.key).toMatchObject({
      id: minted.id,
      public_id: minted.public_id,
    });
    expect((await api.admin.delete(`/v1/api-keys/${minted.id}`)).status).toBe(204);
    expect((await api.admin.get(`/v1/api-keys/${minted.id}`)).body.revoked_at).not.toBeNull();
  });

  it('Revoking a key again changes nothing', async () => {
    const { id } = await aKey(api.admin, { scope: 'organization' });
    await api.admin.delete(`/v1/api-keys/${id}`);
    const revoked = (await api.admin.get(`/v1/api-keys/${id}`)).body;
    expect((await api.admin.delete(`/v1/api-keys/${id}`)).status).toBe(204);
    expect((await api.admin.get(`/v1/api-keys/${id}`)).body).toEqual(revoked);
  });

  it('The keys of a project or an agent end with it', async () => {
    const agent = await anAgent(api.admin);
    const { id } = await aKey(api.admin, { scope: 'agent', agent_id: agent.id });
    const project = await aKey(api.admin, { scope: 'project', project_id: agent.project_id });
    await api.admin.delete(`/v1/projects/${agent.project_id}?cascade=true`);
    expect((await api.admin.get(`/v1/api-keys/${id}`)).status).toBe(404);
    expect((await api.admin.get(`/v1/api-keys/${project.id}`)).status).toBe(404);
  });

  /** Every way in which a secret is given out: the request, and where the secret stands in its answer. */
  const OUTLETS: [string, (client: Client, headers: Record<string, string>) => Promise<Answer>][] = [
    [
      'minting',
      (client, headers) =>
        client.post('/v1/api-keys', { name: 'x', role: 'admin', scope: 'organization' }, headers),
    ],
    [
      'rotating',
      async (client, headers) => {
        const { id } = await aKey(client, { scope: 'organization' });
        return client.post(`/v1/api-keys/${id}/rotate`, {}, headers);
      },
    ],
  ];

  it.each(OUTLETS)('[K3] the secret of a key is in the one answer to %s it', async (_, obtain) => {
    const { status, body } = await obtain(api.admin, {});
    expect(status).toBe(201);
    const secret = body.key.slice(20);
    for (const path of [`/v1/api-keys/${body.id}`, '/v1/api-keys?limit=200', '/v1/me']) {
      for (const client of [api.admin, api.as(body.key)]) {
        const shown = await client.get(path);
        expect([shown.status, shown.text.includes(secret)]).toEqual([200, false]);
      }
    }
    expect(api.log.filter((line) => line.includes(secret))).toEqual([]);
  });

  it('[K3] a replay of the request has null in the place of the secret, and says that it is one', async () => {
    const project = await aProject(api.admin);
    const body = { name: 'once', role: 'viewer', scope: 'project', project_id: project.id };
    const headers = { 'idempotency-key': randomUUID() };
    const first = await api.admin.post('/v1/api-keys', body, headers);
    const again = await api.admin.post('/v1/api-keys', body, headers);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect([again.status, again.body]).toEqual([201, { ...first.body, key: null }]);

    const rotation = { 'idempotency-key': randomUUID() };
    const successor = await api.admin.post(`/v1/api-keys/${first.body.id}/rotate`, {}, rotation);
    const repeated = await api.admin.post(`/v1/api-keys/${first.body.id}/rotate`, {}, rotation);
    expect([repeated.status, repeated.body]).toEqual([201, { ...successor.body, key: null }]);

    const founding = { name: 'o', slug: `o-${randomUUID()}` };
    const founded = await api.root.post('/v1/organizations', founding, headers);
    const refounded = await api.root.post('/v1/organizations', founding, headers);
    expect([refounded.status, refounded.body.api_key.key]).toEqual([201, null]);
    expect({ ...refounded.body.api_key, key: 1 }).toEqual({ ...founded.body.api_key, key: 1 });
    for (const { key } of [first.body, successor.body, founded.body.api_key]) {
      expect(await tablesContaining(superuser, key.slice(20, -6))).toEqual([]);
      expect(api.log.filter((line) => line.includes(key.slice(20)))).toEqual([]);
    }
  });

  it('[K3] what is stored of a key is its SHA-256, and nothing that contains it', async () => {
    const { id, key } = await aKey(api.admin, { scope: 'organization' });
    await api.as(key).get('/v1/me');
    const { rows } = await superuser.query('SELECT digest FROM api_keys WHERE id = $1', [id]);
    expect(rows[0].digest.equals(createHash('sha256').update(key).digest())).toBe(true);
    const secret = key.slice(20, -6);
    for (const form of [
      secret,
      Buffer.from(secret).toString('hex'),
      Buffer.from(key).toString('base64').slice(28, -8),
    ]) {
      expect(await tablesContaining(superuser, form)).toEqual([]);
    }
  });
});
