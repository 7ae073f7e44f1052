import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aCheckpoint, aRunningRun, aStep, anAgent } from '../support/things.js';

describe('checkpoints', () => {
  let api: TestApi;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());

  it.each(['null', 'true', '"text"', '[]', '{"a":{"ä":12345678901234567890}}', '1.50'])(
    'The state %s comes back as it was sent, with its size in bytes',
    async (state) => {
      const run = await aRunningRun(api.admin, { agent_id });
      const path = `/v1/runs/${run.id}/checkpoints`;
      const made = await api.admin.post(path, `{"label":"here","state":${state}}`);
      expect(made.status).toBe(201);
      expect(made.body).toMatchObject({ index: 0, label: 'here', state_bytes: Buffer.byteLength(state) });
      for (const place of ['0', 'latest']) {
        const shown = await api.admin.get(`${path}/${place}`);
        expect(shown.text).toBe(made.text);
        expect(shown.text).toContain(`"state":${state}`);
      }
    },
  );

  it('Lists show checkpoints by index without their states, backwards when asked', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const step = await aStep(api.admin, run.id);
    for (const label of ['a', 'b', 'c']) await aCheckpoint(api.admin, run.id, { label, step_id: step.id });
    const path = `/v1/runs/${run.id}/checkpoints`;
    const there = await everyRow(api.admin, path, 2);
    expect(there.map(({ index, label }) => `${index}${label}`)).toEqual(['0a', '1b', '2c']);
    for (const row of there) {
      expect(Object.keys(row).sort()).toEqual([
        ...['at', 'created_at', 'id', 'index', 'label', 'state_bytes', 'step_id'],
      ]);
      expect(row.step_id).toBe(step.id);
    }
    expect(await everyRow(api.admin, `${path}?order=desc`, 2)).toEqual(there.reverse());
  });

  it('The latest is the one with the highest index', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const path = `/v1/runs/${run.id}/checkpoints`;
    expect((await api.admin.get(`${path}/latest`)).status).toBe(404);
    for (const at of [1, 2, 3]) await aCheckpoint(api.admin, run.id, { state: { at } });
    expect((await api.admin.get(`${path}/latest`)).body).toMatchObject({ index: 2, state: { at: 3 } });
    expect((await api.admin.get(`${path}/1`)).body).toMatchObject({ index: 1, state: { at: 2 } });
    for (const place of ['3', '-1', '01', '1.0', 'first', '99999999999']) {
      expect((await api.admin.get(`${path}/${place}`)).status).toBe(404);
    }
  });

  it.each([
    ['state', {}],
    ['label', { state: 1, label: 'l'.repeat(257) }],
    ['label', { state: 1, label: 5 }],
    ['step_id', { state: 1, step_id: 'no-id' }],
    ['index', { state: 1, index: 5 }],
    ['state_bytes', { state: 1, state_bytes: 5 }],
  ])('A checkpoint with a wrong %s is refused by its pointer', async (name, body) => {
    const run = await aRunningRun(api.admin, { agent_id });
    const refused = await api.admin.post(`/v1/runs/${run.id}/checkpoints`, body);
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, `/${name}`]);
  });
});
