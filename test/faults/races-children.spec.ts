import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../support/client.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce, race } from '../support/race.js';
import { aRunningRun, aStep, aToolCall, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

interface Shown {
  totals: { steps: number; messages: number };
  steps: { data: unknown[] };
  messages: { data: unknown[] };
}

describe('children and creations that meet over two api instances', () => {
  let apis: ApiPair;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
    agent_id = (await anAgent(apis.first.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const at = (i: number): Client => apis.admins[i % 2] as Client;

  it('[S4] Children that meet the end are either before it or refused: none comes after it', async () => {
    await race(40, async (i) => {
      const run = await aRunningRun(at(i), { agent_id });
      const path = `/v1/runs/${run.id}`;
      const [steps, messages, , ...more] = await Promise.all([
        at(i).post(`${path}/steps`, { node: 'plan' }),
        at(i + 1).post(`${path}/messages`, { role: 'user' }),
        at(i).post(`${path}/fail`, {}),
        at(i + 1).post(`${path}/tool-calls`, { name: 'search' }),
        at(i).post(`${path}/checkpoints`, { state: 1 }),
      ]);
      const children = [steps, messages, ...more] as Answer[];
      for (const { status, body } of children) if (status !== 201) expect(body.code).toBe('run.final');
      const shown = (await at(i).get(`${path}?include=steps,messages,tool_calls,checkpoints`)).body;
      const lists = ['steps', 'messages', 'tool_calls', 'checkpoints'].map((name) => shown[name].data.length);
      expect(lists).toEqual(children.map(({ status }) => (status === 201 ? 1 : 0)));
      for (const child of [...shown.steps.data, ...shown.tool_calls.data])
        expect(child.status).toBe('failed');
      const events = await truth.events(run.id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, n) => n + 1));
      expect(events.at(-1)?.type).toBe('run.failed');
    });
  });

  it.each(['steps', 'tool-calls'])(
    '[S10] Of two completions of one of the %s at once the first wins',
    async (door) => {
      await race(40, async (i) => {
        const run = await aRunningRun(at(i), { agent_id });
        const child = await (door === 'steps' ? aStep : aToolCall)(at(i), run.id);
        const member = door === 'steps' ? 'output' : 'result';
        const answers = await Promise.all(
          [0, 1, 2].map((n) =>
            at(n).patch(`/v1/runs/${run.id}/${door}/${child.id}`, { status: 'succeeded', [member]: n }),
          ),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
        const shown = (await at(i).get(`/v1/runs/${run.id}/${door}/${child.id}`)).body;
        expect(shown[member]).toBe(answers.findIndex(({ status }) => status === 200));
      });
    },
  );

  it('[S5] The same run created many times at once is one run', async () => {
    await race(30, async (i) => {
      const creation = { agent_id, id: randomUUID(), external_id: randomUUID(), start: true };
      const answers = await atOnce(5, (n) => at(i + n).post('/v1/runs', creation));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 201]);
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    });
  });

  it('[S4] A run that is reported together with its parent is written, or its parent is not there yet', async () => {
    await race(30, async () => {
      const id = randomUUID();
      const [parent, child] = await Promise.all([
        apis.first.admin.post('/v1/runs', { agent_id, id }),
        apis.first.admin.post('/v1/runs', { agent_id, parent_run_id: id }),
      ]);
      expect(parent.status).toBe(201);
      expect([201, 404]).toContain(child.status);
      expect(child.body.code ?? 'not_found').toBe('not_found');
    });
  });

  it('A run and what is shown with it are of one moment, while others write', async () => {
    const run = await aRunningRun(at(0), { agent_id });
    let isDone = false;
    const reading = (async () => {
      for (let reads = 0; !isDone || reads < 10; reads++) {
        const { body } = await at(1).get(`/v1/runs/${run.id}?include=steps,messages`);
        const { totals, steps, messages } = body as unknown as Shown;
        expect([totals.steps, totals.messages]).toEqual([steps.data.length, messages.data.length]);
      }
    })();
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        i % 2 === 0
          ? at(0).post(`/v1/runs/${run.id}/steps`, { node: 'plan' })
          : at(0).post(`/v1/runs/${run.id}/messages`, { role: 'user', content: 'Hello' }),
      ),
    ).finally(() => (isDone = true));
    await reading;
  });

  it('[S5] The same child reported many times at once is one child', async () => {
    await race(20, async (i) => {
      const run = await aRunningRun(at(i), { agent_id });
      for (const [door, report] of [
        ['steps', { node: 'plan' }],
        ['messages', { role: 'user' }],
        ['tool-calls', { name: 'search' }],
        ['checkpoints', { state: 1 }],
      ] as const) {
        const id = randomUUID();
        const answers = await Promise.all(
          [0, 1, 2, 3].map((n) => at(n).post(`/v1/runs/${run.id}/${door}`, { ...report, id })),
        );
        expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201]);
        expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
      }
    });
  });

  it('[I13] Ten calls of one name in one step, completed in reverse and at once, each keep their own result', async () => {
    const run = await aRunningRun(at(0), { agent_id });
    const step = await aStep(at(0), run.id);
    const calls = await atOnce(10, async (i) => {
      const call = await aToolCall(at(i), run.id, { step_id: step.id, arguments: { i } });
      return { i, path: `/v1/runs/${run.id}/tool-calls/${call.id}`, id: call.id as string };
    });
    await Promise.all(calls.reverse().map(({ i, path }) => at(i).patch(path, { result: { i } })));
    for (const { i, path } of calls) {
      const call = (await at(i).get(path)).body;
      expect([call.status, call.arguments, call.result]).toEqual(['succeeded', { i }, { i }]);
    }
    const events = await truth.events(run.id);
    for (const { id } of calls) {
      const told = events.filter(({ entity_id }) => entity_id === id);
      expect(told.map(({ type }) => type)).toEqual(['tool_call.started', 'tool_call.completed']);
      expect(told.map(({ data }) => data.call_id)).toEqual([id, id]);
    }
  });

  it('[I13] Completions without an id, all at once, close one open call each', async () => {
    const run = await aRunningRun(at(0), { agent_id });
    const calls = await atOnce(8, (i) => aToolCall(at(i), run.id));
    const done = await atOnce(10, (i) =>
      at(i).post(`/v1/runs/${run.id}/tool-calls/complete`, { name: 'search', result: i }),
    );
    const closed = done.filter(({ status }) => status === 200);
    expect(closed.map(({ body }) => body.id).sort()).toEqual(calls.map(({ id }) => id).sort());
    expect(done.filter(({ status }) => status === 404)).toHaveLength(2);
    for (const { body } of closed) {
      expect((await at(0).get(`/v1/runs/${run.id}/tool-calls/${body.id}`)).body.result).toBe(body.result);
    }
  });
});
