import { randomUUID } from 'node:crypto';
import type { Answer, Client } from './client.js';

/** Things to test with, made through the API. Each fails loudly when it could not be made. */

type Members = Record<string, unknown>;
type Thing = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

let count = 0;
const aName = (what: string): string => `${what} ${++count} ${randomUUID().slice(0, 8)}`;

function made(answer: Answer): Thing {
  if (answer.status !== 201 && answer.status !== 200) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

export async function aProject(client: Client, members: Members = {}): Promise<Thing> {
  return made(await client.post('/v1/projects', { name: aName('project'), ...members }));
}

export async function anAgent(client: Client, members: Members = {}): Promise<Thing> {
  const project_id = members.project_id ?? (await aProject(client)).id;
  return made(
    await client.post('/v1/agents', { name: aName('agent'), adapter: 'custom', ...members, project_id }),
  );
}

/** A run in `pending`; with `start: true`, in `running`. */
export async function aRun(client: Client, members: Members = {}): Promise<Thing> {
  const agent_id = members.agent_id ?? (await anAgent(client)).id;
  return made(await client.post('/v1/runs', { ...members, agent_id }));
}

export async function aRunningRun(client: Client, members: Members = {}): Promise<Thing> {
  return aRun(client, { ...members, start: true });
}

export async function aWaitingRun(client: Client, members: Members = {}): Promise<Thing> {
  const run = await aRunningRun(client, members);
  return made(await client.post(`/v1/runs/${run.id}/wait`, { question: 'May I?' }));
}

/** An approval of a run that waits for it, in `pending`. */
export async function anApproval(client: Client, members: Members = {}, ofRun: Members = {}): Promise<Thing> {
  const { id } = await aRunningRun(client, ofRun);
  const approvals = [{ kind: 'gate', payload: { a: 1 }, ...members }];
  const run = made(await client.post(`/v1/runs/${id}/wait`, { approvals }));
  return made(await client.get(`/v1/approvals/${run.waiting_for.approvals[0].id}`));
}

/** A bulk action that comes to nothing, in `pending`; with another's key, that one's. */
export async function aBulkAction(client: Client, members: Members = {}, key = client.key): Promise<Thing> {
  const wanted = { action: 'cancel', ids: [randomUUID()], ...members };
  const answer = await client.post('/v1/bulk-actions', wanted, { authorization: `Bearer ${key}` });
  if (answer.status !== 202) throw new Error(`${answer.status}: ${answer.text}`);
  return answer.body;
}

export async function aFinishedRun(client: Client, members: Members = {}): Promise<Thing> {
  const run = await aRunningRun(client, members);
  return made(await client.post(`/v1/runs/${run.id}/succeed`, { output: { done: true } }));
}

export async function aStep(client: Client, runId: string, members: Members = {}): Promise<Thing> {
  return made(await client.post(`/v1/runs/${runId}/steps`, { node: 'plan', ...members }));
}

export async function aMessage(client: Client, runId: string, members: Members = {}): Promise<Thing> {
  return made(
    await client.post(`/v1/runs/${runId}/messages`, { role: 'user', content: 'Hello', ...members }),
  );
}

export async function aToolCall(client: Client, runId: string, members: Members = {}): Promise<Thing> {
  return made(await client.post(`/v1/runs/${runId}/tool-calls`, { name: 'search', ...members }));
}

export async function aCheckpoint(client: Client, runId: string, members: Members = {}): Promise<Thing> {
  return made(
    await client.post(`/v1/runs/${runId}/checkpoints`, { label: 'here', state: { at: 1 }, ...members }),
  );
}

/** A price of the organization for a model of its own. */
export async function aModelPrice(client: Client, members: Members = {}): Promise<Thing> {
  const price = { model: aName('model'), input: 3, output: '15', ...members };
  return made(await client.post('/v1/model-prices', price));
}

/** A key's record with its secret in `key`. */
export async function aKey(client: Client, members: Members): Promise<Thing> {
  return made(await client.post('/v1/api-keys', { name: aName('key'), role: 'admin', ...members }));
}

/** A further organization, with its admin's `api_key.key`. */
export async function anOrganization(root: Client, members: Members = {}): Promise<Thing> {
  const slug = `o-${randomUUID().slice(0, 13)}`;
  return made(await root.post('/v1/organizations', { name: aName('organization'), slug, ...members }));
}
