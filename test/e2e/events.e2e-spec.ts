import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { aRunStart, aStepStart } from '../support/items.js';
import { untilEventsAreSettled } from '../support/settled-events.js';
import { openStream, type OpenStream, type StreamedEvent } from '../support/streams.js';
import * as things from '../support/things.js';

let api: TestApi;
beforeAll(async () => {
  api = await anApi();
});
afterAll(() => api.close());

/** A stream that has begun: whatever is committed from now on is behind its first id. */
async function follow(
  query = '',
  key = api.adminKey,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  await untilEventsAreSettled(api.database);
  const stream = await openStream(api, `/v1/events${query}`, key, headers);
  await stream.until((text) => /\nid: .*\n\n/.test(text));
  return stream;
}

const told = (events: readonly StreamedEvent[]): unknown[] =>
  events.map(({ data }) => [data.run_id, data.seq, data.type]);

/** A project with an agent and a run of its own, and keys that see no more than these. */
async function aPlace() {
  const project = await things.aProject(api.admin);
  const agent = await things.anAgent(api.admin, { project_id: project.id });
  const run = await things.aRunningRun(api.admin, { agent_id: agent.id });
  const ofProject = await things.aKey(api.admin, {
    scope: 'project',
    project_id: project.id,
    role: 'viewer',
  });
  const ofAgent = await things.aKey(api.admin, { scope: 'agent', agent_id: agent.id, role: 'viewer' });
  return { project, agent, run, projectKey: ofProject.key as string, agentKey: ofAgent.key as string };
}

describe('GET /v1/events', () => {
  it('[E3] begins now, and tells what happens to every run from then on, in the order of each run', async () => {
    const old = await things.aRunningRun(api.admin);
    const stream = await follow();
    const step = await things.aStep(api.admin, old.id);
    const run = await things.aRunningRun(api.admin);
    await api.admin.post(`/v1/runs/${run.id}/succeed`, { output: 1 });
    const events = await stream.take(4);
    expect(told(events)).toEqual([
      [old.id, 3, 'step.started'],
      [run.id, 1, 'run.created'],
      [run.id, 2, 'run.started'],
      [run.id, 3, 'run.succeeded'],
    ]);
    expect(events[0]).toEqual({
      id: expect.any(String),
      type: 'step.started',
      data: {
        ...{ run_id: old.id, seq: 3, type: 'step.started', at: expect.any(String), entity_id: step.id },
        data: { index: 0, node: step.node, status: step.status, parent_step_id: null },
      },
    });
    stream.close();
  });

  it('[E1] goes on behind any id that it sent, by header or by parameter; the header outdoes', async () => {
    const run = await things.aRunningRun(api.admin);
    const stream = await follow();
    const began = stream.lastId as string;
    for (let i = 0; i < 3; i++) await things.aStep(api.admin, run.id);
    const [first, second] = await stream.take(3);
    stream.close();
    const behind = async (headers: Record<string, string>, query: string): Promise<unknown> => {
      const again = await follow(query, api.adminKey, headers);
      const event = await again.next();
      again.close();
      return event?.data.seq;
    };
    expect(await behind({ 'last-event-id': began }, '')).toBe(3);
    expect(await behind({}, `?after=${began}`)).toBe(3);
    expect(await behind({}, `?after=${first?.id}`)).toBe(4);
    expect(await behind({ 'last-event-id': second?.id as string }, `?after=${began}`)).toBe(5);
  });

  it('[E1] goes on within what one transaction wrote', async () => {
    const [a = '', b = ''] = [randomUUID(), randomUUID()].sort();
    const stream = await follow();
    await api.admin.post('/v1/ingest', [a, b].flatMap((id) => [aRunStart(id), ...Array(3).fill(0).map(() => aStepStart(id))])); // prettier-ignore
    const whole = await stream.take(10);
    stream.close();
    expect(told(whole).map((event) => (event as unknown[]).slice(0, 2))).toEqual(
      [a, b].flatMap((id) => [1, 2, 3, 4, 5].map((seq) => [id, seq])),
    );
    for (let i = 0; i < 9; i++) {
      const again = await follow(`?after=${whole[i]?.id}`);
      expect(await again.take(9 - i)).toEqual(whole.slice(i + 1));
      again.close();
    }
  });

  it('leaves out what the filters do, which may change on the way', async () => {
    const [here, there] = [await aPlace(), await aPlace()];
    const other = await things.anAgent(api.admin, { project_id: here.project.id });
    const stream = await follow();
    const began = stream.lastId as string;
    stream.close();
    const sibling = await things.aRun(api.admin, { agent_id: other.id });
    for (const { id } of [here.run, there.run]) {
      await things.aStep(api.admin, id);
      await things.aMessage(api.admin, id);
    }
    await things.aStep(api.admin, here.run.id);
    const read = async (query: string, count: number): Promise<unknown[]> => {
      const filtered = await follow(`?after=${began}&${query}`);
      const events = await filtered.take(count);
      filtered.close();
      return told(events);
    };
    const [hs, hm, last] = [
      [here.run.id, 3, 'step.started'],
      [here.run.id, 4, 'message.created'],
      [here.run.id, 5, 'step.started'],
    ];
    expect(await read(`project_id=${here.project.id}`, 4)).toEqual([
      [sibling.id, 1, 'run.created'],
      hs,
      hm,
      last,
    ]);
    expect(await read(`agent_id=${here.agent.id}`, 3)).toEqual([hs, hm, last]);
    expect(await read(`agent_id=${here.agent.id}&type=step.started`, 2)).toEqual([hs, last]);
    expect(await read(`project_id=${here.project.id}&type=run.created,message.created`, 2)).toEqual([
      [sibling.id, 1, 'run.created'],
      hm,
    ]);
    for (const wrong of [
      'type=',
      'type=run.ended',
      'type=run.created,',
      'project_id=x',
      'agent_id=',
      'since=1',
    ])
      expect([wrong, await api.admin.get(`/v1/events?${wrong}`)]).toMatchObject([wrong, { status: 400 }]);
  });

  it('[T2] a key of a project or an agent is told of its runs only, whatever it asks for', async () => {
    const [here, there] = [await aPlace(), await aPlace()];
    const streams = [
      await follow('', here.projectKey),
      await follow('', here.agentKey),
      await follow(`?project_id=${here.project.id}`, here.agentKey),
    ];
    const astray = await follow(`?project_id=${there.project.id}`, here.projectKey);
    const step = async (run: { id: string }): Promise<unknown> => things.aStep(api.admin, run.id);
    await step(there.run);
    await step(here.run);
    await step(there.run);
    await step(here.run);
    for (const stream of streams) {
      expect((await stream.take(2)).map(({ data }) => [data.run_id, data.seq])).toEqual([
        [here.run.id, 3],
        [here.run.id, 4],
      ]);
      expect(stream.text).not.toContain(there.run.id);
      stream.close();
    }
    expect(astray.text).not.toContain('data:');
    astray.close();
  });

  it('[T1] another organization is told nothing, and its ids lead nowhere here', async () => {
    const stranger = await things.anOrganization(api.root);
    const theirs = api.as(stranger.api_key.key);
    const project = await things.aProject(theirs);
    const agent = await things.anAgent(theirs, { project_id: project.id });
    const stream = await follow('', stranger.api_key.key);
    const ours = await things.aRunningRun(api.admin);
    const run = await things.aRun(theirs, { agent_id: agent.id });
    expect(told(await stream.take(1))).toEqual([[run.id, 1, 'run.created']]);
    expect(stream.text).not.toContain(ours.id);
    const refused = await api.admin.get(`/v1/events?after=${stream.lastId}`);
    expect([refused.status, refused.body.code]).toEqual([400, 'invalid_cursor']);
    stream.close();
  });

  it('[E10] refuses an id that it did not send to a key of this scope, and one of what has not happened', async () => {
    const { projectKey, agentKey } = await aPlace();
    const stream = await follow();
    const id = stream.lastId as string;
    stream.close();
    const [position = '', seal = ''] = id.split('.');
    const list = (await api.admin.get('/v1/projects?limit=1')).body.next_cursor;
    const bad = [
      'x',
      '-1',
      '7',
      '.',
      `${position}.`,
      `.${seal}`,
      `${id}.`,
      `${id}x`,
      'a'.repeat(2_000),
      list,
    ];
    for (const one of bad) {
      const answer = await api.admin.get('/v1/events', { 'last-event-id': one });
      expect([one, answer.status, answer.body.code]).toEqual([one, 400, 'invalid_cursor']);
      expect((await api.admin.get(`/v1/events?after=${one}`)).status).toBe(400);
    }
    const long = await api.admin.get('/v1/events', { 'last-event-id': 'a'.repeat(10_000) });
    expect(long.status).toBe(400);
    for (const key of [projectKey, agentKey]) {
      const answer = await api.as(key).get('/v1/events', { 'last-event-id': id });
      expect([answer.status, answer.body.code]).toEqual([400, 'invalid_cursor']);
    }
  });

  it('[T12] a seal that anybody can make opens nothing: only where an event could be is a place', async () => {
    const { organization } = (await api.admin.get('/v1/me')).body;
    const [{ cluster, now }] = await api.connected.dataSource.query(
      `SELECT system_identifier::text AS cluster, pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS now
       FROM pg_control_system()`,
    );
    const forged = (place: unknown): string => {
      const position = Buffer.from(JSON.stringify(place)).toString('base64url');
      const sealed = JSON.stringify([`events of ${cluster}`, organization.id, [], position]);
      return `${position}.${createHash('sha256').update(sealed).digest('base64url').slice(0, 16)}`;
    };
    const run = randomUUID();
    const genuine = await follow(`?after=${forged([0])}`);
    genuine.close();
    const never = [
      [],
      [-1],
      [1.5],
      ['1'],
      [null],
      [1, run],
      [1, run, -1],
      [1, 'x', 1],
      [1, run, 1, 1],
      {},
      'x',
    ];
    for (const place of [...never, [2 ** 53], [now + 1_000_000]]) {
      const answer = await api.admin.get(`/v1/events?after=${forged(place)}`);
      expect([place, answer.status, answer.body.code]).toEqual([place, 400, 'invalid_cursor']);
    }
  });

  it('[E5] delivers an event of a megabyte whole', async () => {
    const run = await things.aRunningRun(api.admin);
    const stream = await follow(`?agent_id=${run.agent_id}`);
    const payload = { text: 'y'.repeat(900_000) };
    await api.admin.post(`/v1/runs/${run.id}/wait`, { payload });
    const events = await stream.take(2);
    expect(JSON.stringify(events)).toContain(payload.text);
    stream.close();
  });

  it('[E12] ends within moments when its key is revoked, and tells nothing more', async () => {
    const run = await things.aRunningRun(api.admin);
    const { id, key } = await things.aKey(api.admin, { scope: 'organization', role: 'viewer' });
    const stream = await follow('', key);
    await api.admin.delete(`/v1/api-keys/${id}`);
    expect(await stream.rest()).toEqual([]);
    await things.aStep(api.admin, run.id);
    expect(stream.text).not.toContain('data:');
  });

  it('answers HEAD with the headers and an end', async () => {
    const headers = { authorization: `Bearer ${api.adminKey}` };
    const { status, headers: answered } = await fetch(`${api.url}/v1/events`, { method: 'HEAD', headers });
    expect([status, answered.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
    const run = await things.aRunningRun(api.admin);
    expect((await fetch(`${api.url}/v1/runs/${run.id}/events`, { method: 'HEAD', headers })).status).toBe(
      200,
    );
  });

  it('counts among the streams that a key may have open', async () => {
    const bounded = await anApi({ AGENTFLOW_STREAMS_PER_KEY: '1' }, api.database);
    const stream = await openStream(bounded, '/v1/events', api.adminKey);
    const answer = await bounded.as(api.adminKey).get('/v1/events');
    expect([answer.status, answer.body.code]).toEqual([429, 'too_many_streams']);
    stream.close();
    await bounded.close();
  });
});
