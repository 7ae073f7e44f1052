import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { aCheckpoint, aMessage, aRunningRun, aStep, aToolCall } from '../support/things.js';

/** What can be shown with a run, and the list that its cursor goes on in. */
const CHILDREN = {
  steps: 'steps',
  messages: 'messages',
  tool_calls: 'tool-calls',
  checkpoints: 'checkpoints',
};

describe('a run shown with what belongs to it', () => {
  let api: TestApi;
  let path: string;
  beforeAll(async () => {
    api = await anApi();
    const run = await aRunningRun(api.admin);
    path = `/v1/runs/${run.id}`;
    for (let i = 0; i < 53; i++) {
      await aStep(api.admin, run.id);
      await aMessage(api.admin, run.id);
      await aToolCall(api.admin, run.id);
      await aCheckpoint(api.admin, run.id);
    }
  });
  afterAll(() => api.close());

  it('Nothing is included that was not asked for', async () => {
    const { body } = await api.admin.get(path);
    for (const name of Object.keys(CHILDREN)) expect(body).not.toHaveProperty(name);
    const some = (await api.admin.get(`${path}?include=messages,steps`)).body;
    expect(
      Object.keys(some)
        .filter((name) => name in CHILDREN)
        .sort(),
    ).toEqual(['messages', 'steps']);
    const { steps: _steps, messages: _messages, ...run } = some;
    expect(run).toEqual(body);
  });

  it('Each kind comes with its first 50 and a cursor that goes on in its own list', async () => {
    const { body } = await api.admin.get(`${path}?include=${Object.keys(CHILDREN).join(',')}`);
    for (const [name, list] of Object.entries(CHILDREN)) {
      const { data, next_cursor } = body[name];
      expect([name, data.length]).toEqual([name, 50]);
      const rest = await everyRow(api.admin, `${path}/${list}`, 2, next_cursor);
      const whole = await everyRow(api.admin, `${path}/${list}`, 200);
      expect(whole).toHaveLength(53);
      expect([...data, ...rest]).toEqual(whole);
    }
    const { next_cursor } = body.steps;
    for (const other of ['messages', 'checkpoints', 'tool-calls', 'steps?order=desc']) {
      const refused = await api.admin.get(
        `${path}/${other}${other.includes('?') ? '&' : '?'}cursor=${next_cursor}`,
      );
      expect([other, refused.body.code]).toEqual([other, 'invalid_cursor']);
    }
  });

  it('Checkpoints come without their states', async () => {
    const { body } = await api.admin.get(`${path}?include=checkpoints`);
    for (const checkpoint of body.checkpoints.data) expect(checkpoint).not.toHaveProperty('state');
  });

  it.each(['events', '', 'steps,', 'Steps', 'steps&include=messages', 'toolCalls'])(
    'include=%s is refused',
    async (include) => {
      expect((await api.admin.get(`${path}?include=${include}`)).body.code).toBe('invalid_request');
    },
  );
});
