import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { ProblemCode } from '@agentflow/contracts';
import { anApi, type TestApi } from '../api.js';
import { connected } from '../database.js';
import { aDatabaseDoor } from '../database-door.js';
import { head, rawExchange } from '../raw-http.js';
import { openStream } from '../streams.js';
import * as things from '../things.js';

/** A refusal, however it was sent. */
export interface Refused {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly text: string;
}

type Producer = (api: TestApi) => Promise<Refused>;
type Asked = { status: number; headers: Headers; text: string };

const refused = ({ status, headers, text }: Asked): Refused => ({
  status,
  header: (name) => headers.get(name) ?? undefined,
  text,
});

const asked =
  (ask: (api: TestApi) => Promise<Asked>): Producer =>
  async (api) =>
    refused(await ask(api));

/** What cannot be asked for with `fetch`. */
async function raw(api: TestApi, ...parts: string[]): Promise<Refused> {
  const [answer] = (await rawExchange(api.url, parts)).answers;
  if (!answer) throw new Error('there was no answer');
  return { status: answer.status, header: (name) => answer.headers[name], text: answer.text };
}

const twice = async (
  api: TestApi,
  path: string,
  body: object,
  other: object,
  key: string,
): Promise<Asked> => {
  const headers = { 'idempotency-key': key };
  await api.admin.post(path, body, headers);
  return api.admin.post(path, other, headers);
};

async function aFinishedStep(api: TestApi): Promise<string> {
  const run = await things.aRunningRun(api.admin);
  const step = await things.aStep(api.admin, run.id, { status: 'succeeded', output: 1 });
  return `/v1/runs/${run.id}/steps/${step.id}`;
}

/** Holds a row that a request needs, from a connection of its own, for as long as the request takes. */
async function holding(
  api: TestApi,
  statement: string,
  values: unknown[],
  ask: () => Promise<Asked>,
): Promise<Asked> {
  return connected(api.database.adminUrl, async (client) => {
    await client.query('BEGIN');
    await client.query(statement, values);
    return ask();
  });
}

async function tenantOf(api: TestApi): Promise<string> {
  return (await api.admin.get('/v1/me')).body.organization.id as string;
}

/** Makes the api refuse with each code, in the way in which a client meets it. */
export const PRODUCERS: Readonly<Record<ProblemCode, Producer>> = {
  unauthenticated: asked((api) => api.as(undefined).get('/v1/me')),
  forbidden: asked(async (api) => {
    const { key } = await things.aKey(api.admin, { scope: 'organization', role: 'viewer' });
    return api.as(key).post('/v1/projects', { name: 'x' });
  }),
  not_found: asked((api) => api.admin.get(`/v1/runs/${randomUUID()}`)),
  method_not_allowed: asked((api) => api.admin.call('PUT', '/v1/projects', {})),

  malformed_json: asked((api) => api.admin.post('/v1/projects', '{')),
  invalid_request: asked((api) => api.admin.post('/v1/projects', {})),
  invalid_cursor: asked((api) => api.admin.get('/v1/projects?cursor=x')),
  request_too_large: asked((api) => api.admin.post('/v1/projects', ' '.repeat(2 * 1024 * 1024))),
  unsupported_media_type: asked((api) =>
    api.admin.post('/v1/projects', '{}', { 'content-type': 'text/plain' }),
  ),
  uri_too_long: asked((api) => api.admin.get(`/v1/runs?tag=${'x'.repeat(9_000)}`)),
  headers_too_large: (api) => raw(api, head('GET', '/v1/me', api.adminKey, `X-Long: ${'x'.repeat(20_000)}`)),
  request_timeout: async (api) => {
    const server = api.app.getHttpServer() as Server;
    const { headersTimeout } = server;
    server.headersTimeout = 1;
    const answer = await raw(api, 'GET /v1/me HTTP/1.1\r\nHost: test\r\n');
    server.headersTimeout = headersTimeout;
    return answer;
  },

  upgrade_required: asked(async (api) =>
    api.admin.get(`/ws/execution/${(await things.aRunningRun(api.admin)).id}`),
  ),

  'idempotency.key_reused': asked((api) =>
    twice(api, '/v1/projects', { name: randomUUID() }, { name: randomUUID() }, randomUUID()),
  ),
  'idempotency.in_progress': asked(async (api) => {
    const [tenant, key] = [await tenantOf(api), randomUUID()];
    const claim = `INSERT INTO idempotency_keys (tenant_id, scope_id, key, method, route, request_digest)
      VALUES ($1, $1, $2, 'POST', '/v1/projects', sha256(''))`;
    return holding(api, claim, [tenant, key], () =>
      api.admin.post('/v1/projects', { name: randomUUID() }, { 'idempotency-key': key }),
    );
  }),

  too_many_items: async (api) => {
    const bounded = await anApi({ AGENTFLOW_ITEMS_PER_SECOND_OF_KEY: '1' }, api.database);
    const client = bounded.as(api.adminKey);
    await client.post('/v1/ingest', Array(20).fill({}));
    const answer = await asked(() => client.post('/v1/ingest', [{}]))(bounded);
    await bounded.close();
    return answer;
  },

  too_many_streams: async (api) => {
    const bounded = await anApi({ AGENTFLOW_STREAMS_PER_KEY: '1' }, api.database);
    const client = bounded.as(api.adminKey);
    const { id } = await things.aRunningRun(client);
    const stream = await openStream(bounded, `/v1/runs/${id}/events`, api.adminKey);
    const answer = await asked(() => client.get(`/v1/runs/${id}/events`))(bounded);
    stream.close();
    await bounded.close();
    return answer;
  },

  too_many_bulk_actions: asked(async (api) => {
    const { key } = await things.aKey(api.admin, { scope: 'organization' });
    const ask = () => api.as(key).post('/v1/bulk-actions', { action: 'cancel', filter: { tag: 'trial' } });
    for (let open = 0; open < 100; open++) await ask();
    return ask();
  }),

  name_taken: asked(async (api) => {
    const { name } = await things.aProject(api.admin);
    return api.admin.post('/v1/projects', { name });
  }),
  slug_taken: asked(async (api) => {
    const { slug } = await things.anOrganization(api.root);
    return api.root.post('/v1/organizations', { name: 'x', slug });
  }),
  id_conflict: asked(async (api) => {
    const run = await things.aRunningRun(api.admin);
    const { id } = await things.aStep(api.admin, run.id);
    return api.admin.post(`/v1/runs/${run.id}/steps`, { id, node: 'another' });
  }),
  external_id_conflict: asked(async (api) => {
    const { external_id, agent_id } = await things.aRun(api.admin, { external_id: randomUUID() });
    return api.admin.post('/v1/runs', { agent_id, external_id, name: 'another' });
  }),
  version_mismatch: asked(async (api) => {
    const { id } = await things.anAgent(api.admin);
    return api.admin.patch(`/v1/agents/${id}`, { name: randomUUID() }, { 'if-match': '"7"' });
  }),
  'project.not_empty': asked(async (api) => {
    const { project_id } = await things.anAgent(api.admin);
    return api.admin.delete(`/v1/projects/${project_id}`);
  }),
  'key.wider_than_minter': asked(async (api) => {
    const { id: project_id } = await things.aProject(api.admin);
    const { key } = await things.aKey(api.admin, { scope: 'project', project_id });
    return api.as(key).post('/v1/api-keys', { name: 'x', scope: 'organization', role: 'viewer' });
  }),
  'key.revoked': asked(async (api) => {
    const { id } = await things.aKey(api.admin, { scope: 'organization' });
    await api.admin.delete(`/v1/api-keys/${id}`);
    return api.admin.post(`/v1/api-keys/${id}/rotate`, {});
  }),
  'key.already_rotated': asked(async (api) => {
    const { id } = await things.aKey(api.admin, { scope: 'organization' });
    await api.admin.post(`/v1/api-keys/${id}/rotate`, {});
    return api.admin.post(`/v1/api-keys/${id}/rotate`, {});
  }),

  'run.transition_refused': asked(async (api) => {
    const { id } = await things.aRun(api.admin);
    return api.admin.post(`/v1/runs/${id}/succeed`, {});
  }),
  'run.final': asked(async (api) => {
    const { id } = await things.aFinishedRun(api.admin);
    return api.admin.post(`/v1/runs/${id}/steps`, { node: 'late' });
  }),
  'run.active': asked(async (api) =>
    api.admin.delete(`/v1/runs/${(await things.aRunningRun(api.admin)).id}`),
  ),
  'run.deleted': asked(async (api) => {
    const { id } = await things.aRun(api.admin);
    await api.admin.delete(`/v1/runs/${id}`);
    return api.admin.post(`/v1/runs/${id}/start`, {});
  }),
  'run.lease_lost': asked(async (api) => {
    const { id } = await things.aRunningRun(api.admin, { lease_seconds: 60 });
    return api.admin.post(`/v1/runs/${id}/heartbeat`, { lease_token: randomUUID() });
  }),
  'run.approvals_open': asked(async (api) => {
    const { run_id } = await things.anApproval(api.admin);
    return api.admin.post(`/v1/runs/${run_id}/resume`, {});
  }),
  'approval.decided': asked(async (api) => {
    const { id } = await things.anApproval(api.admin);
    await api.admin.post(`/v1/approvals/${id}/decide`, { decision: 'approve' });
    return api.admin.post(`/v1/approvals/${id}/decide`, { decision: 'reject' });
  }),
  'approval.stale': asked(async (api) => {
    const { id } = await things.anApproval(api.admin);
    const decision = { decision: 'approve', arguments_hash: '0'.repeat(64) };
    return api.admin.post(`/v1/approvals/${id}/decide`, decision);
  }),
  'step.transition_refused': asked(async (api) => {
    const run = await things.aRunningRun(api.admin);
    const step = await things.aStep(api.admin, run.id);
    return api.admin.patch(`/v1/runs/${run.id}/steps/${step.id}`, { status: 'pending' });
  }),
  'tool_call.transition_refused': asked(async (api) => {
    const run = await things.aRunningRun(api.admin);
    const { id } = await things.aToolCall(api.admin, run.id);
    return api.admin.patch(`/v1/runs/${run.id}/tool-calls/${id}`, { status: 'running', metadata: { a: 1 } });
  }),
  already_completed: asked(async (api) => api.admin.patch(await aFinishedStep(api), { output: 2 })),

  internal: asked(async (api) => {
    const rename = (from: string, to: string) =>
      connected(api.database.adminUrl, (client) => client.query(`ALTER TABLE ${from} RENAME TO ${to}`));
    await rename('projects', 'projects_away');
    const answer = await api.admin.get('/v1/projects');
    await rename('projects_away', 'projects');
    return answer;
  }),
  unavailable: async (api) => {
    const door = await aDatabaseDoor(api.database);
    const cutOff = await anApi({}, door.database);
    door.shut();
    const answer = refused(await cutOff.as(api.adminKey).get('/v1/projects'));
    await cutOff.close();
    await door.close();
    return answer;
  },
  timeout: asked(async (api) => {
    const { id } = await things.anAgent(api.admin);
    return holding(api, 'SELECT FROM agents WHERE id = $1 FOR UPDATE', [id], () =>
      api.admin.patch(`/v1/agents/${id}`, { name: randomUUID() }),
    );
  }),
};
