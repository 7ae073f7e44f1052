import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aMessage, aRunningRun, aStep, anAgent } from '../support/things.js';

describe('messages', () => {
  let api: TestApi;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(() => api.close());

  it('A message says all that was said, with its place in the run', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    const step = await aStep(api.admin, run.id);
    const said = {
      ...{ step_id: step.id, role: 'tool', name: 'search', content: 'Hällo\n' },
      ...{ tool_call_id: 'call_1', extra: { parts: [{ type: 'image' }] } },
    };
    const message = await aMessage(api.admin, run.id, said);
    const { id, created_at } = message;
    expect(message).toEqual({ ...said, id, created_at, run_id: run.id, index: 0, at: null });
    const bare = await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'assistant', content: null });
    expect(bare.body).toMatchObject({
      index: 1,
      role: 'assistant',
      content: null,
      step_id: null,
      extra: null,
    });
  });

  it('All five roles speak, and nobody else', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    for (const role of ['system', 'developer', 'user', 'assistant', 'tool']) {
      expect((await aMessage(api.admin, run.id, { role })).role).toBe(role);
    }
    for (const role of ['User', 'function', '', null, 5]) {
      const refused = await api.admin.post(`/v1/runs/${run.id}/messages`, { role, content: 'Hi' });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/role']);
    }
  });

  it.each([
    ['name', ['', 'n'.repeat(257), 5]],
    ['content', [5, ['x'], { text: 'x' }]],
    ['tool_call_id', ['', 'c'.repeat(257)]],
    ['step_id', ['no-id', null]],
    ['index', [0]],
  ] as [string, unknown[]][])('%s out of its bounds is refused by its pointer', async (name, values) => {
    const run = await aRunningRun(api.admin, { agent_id });
    for (const value of values) {
      const refused = await api.admin.post(`/v1/runs/${run.id}/messages`, { role: 'user', [name]: value });
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, `/${name}`]);
    }
  });

  it('Messages are listed by index, backwards when asked, and page by page', async () => {
    const run = await aRunningRun(api.admin, { agent_id });
    for (const content of ['a', 'b', 'c', 'd', 'e']) await aMessage(api.admin, run.id, { content });
    const path = `/v1/runs/${run.id}/messages`;
    const there = await everyRow(api.admin, path, 2);
    expect(there.map(({ index, content }) => `${index}${content}`)).toEqual(['0a', '1b', '2c', '3d', '4e']);
    expect(await everyRow(api.admin, `${path}?order=desc`, 2)).toEqual(there.reverse());
    expect((await api.admin.get(`/v1/runs/${run.id}`)).body.totals.messages).toBe(5);
  });
});
