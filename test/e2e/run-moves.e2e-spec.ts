import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aRunIn } from '../support/run-states.js';
import { aRun, aRunningRun, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

describe('what the moves of a run bring along', () => {
  let api: TestApi;
  let truth: Truth;
  let agent_id: string;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    agent_id = (await anAgent(api.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  const move = (id: string, command: string, content?: object | string) =>
    api.admin.post(`/v1/runs/${id}/${command}`, content);

  it('A question is shown while the run waits, and the answer once it goes on', async () => {
    const { id } = await aRunningRun(api.admin, { agent_id });
    const asked = { question: 'May I?', payload: { tool: 'rm', args: [1.0] }, kind: 'tool' };
    const waiting = (await move(id, 'wait', asked)).body;
    expect(waiting).toMatchObject({ status: 'waiting_human', waiting_for: asked, resume_input: null });
    const resumed = (await move(id, 'resume', { input: { yes: true } })).body;
    expect(resumed).toMatchObject({ status: 'running', waiting_for: null, resume_input: { yes: true } });
    const again = (await move(id, 'wait')).body;
    expect(again).toMatchObject({ waiting_for: {}, resume_input: null });
    expect((await move(id, 'resume')).body).toMatchObject({ status: 'running', resume_input: null });
    const told = (await truth.events(id)).slice(2).map(({ type, data }) => [type, data]);
    expect(told.map(([type]) => type).filter((type) => type.startsWith('approval.'))).toEqual([
      'approval.requested',
      'approval.resolved',
      'approval.requested',
      'approval.resolved',
    ]);
    expect(told.filter(([type]) => type.startsWith('run.'))).toEqual([
      ['run.waiting_human', asked],
      ['run.resumed', { yes: true }],
      ['run.waiting_human', {}],
      ['run.resumed', null],
    ]);
  });

  it('Success brings the output, failure the error, cancellation the reason; each ends the run once', async () => {
    const expected = {
      succeed: [{ output: { a: [1, null] } }, { output: { a: [1, null] }, error: null, error_type: null }],
      fail: [
        { error: 'no', error_type: 'Sad' },
        { output: null, error: 'no', error_type: 'Sad' },
      ],
      cancel: [{ reason: 'enough' }, { output: null, error: 'enough', error_type: null }],
    };
    for (const [command, [content, shown]] of Object.entries(expected)) {
      const { id } = await aRunningRun(api.admin, { agent_id, lease_seconds: 60 });
      const ended = (await move(id, command, content)).body;
      expect(ended).toMatchObject({ ...shown, is_terminal: true, lease_expires_at: null });
      expect(ended.ended_at).toBe(ended.updated_at);
      await move(id, command, content);
      expect((await api.admin.get(`/v1/runs/${id}`)).body.ended_at).toBe(ended.ended_at);
    }
  });

  it.each(['succeed', 'fail', 'cancel', 'resume', 'wait', 'start'])(
    '[S5] %s without content is repeated by no body, an empty one and an explicit null',
    async (command) => {
      const from = { resume: 'waiting_human', start: 'pending' }[command] ?? 'running';
      const { id } = await aRunIn(api.admin, from as 'running', { agent_id });
      const moved = await move(id, command);
      expect(moved.status).toBe(200);
      const payload = { succeed: 'output', resume: 'input' }[command];
      for (const body of [undefined, {}, payload === undefined ? '{ }' : { [payload]: null }]) {
        expect((await move(id, command, body)).text).toBe(moved.text);
      }
    },
  );

  it.each(['succeed', 'fail', 'cancel', 'wait'])(
    '[S5] %s is repeated whatever the answer of a person left on the run',
    async (command) => {
      const { id } = await aRunIn(api.admin, 'waiting_human', { agent_id });
      await move(id, 'resume', { input: { yes: true } });
      const moved = await move(id, command);
      expect((await move(id, command)).text).toBe(moved.text);
    },
  );

  it('A lease is held from the start, by its token, and prolonged by heartbeats and by the answer of a person', async () => {
    const { id, lease_token } = await aRun(api.admin, { agent_id });
    expect(lease_token).toBe(null);
    const started = (await move(id, 'start', { lease_seconds: 60 })).body;
    const endsAt = (run: { lease_expires_at: string }): number => Date.parse(run.lease_expires_at);
    expect(endsAt(started) - Date.parse(started.started_at)).toBe(60_000);
    const beat = await move(id, 'heartbeat', { lease_token: started.lease_token });
    expect(endsAt(beat.body)).toBeGreaterThanOrEqual(endsAt(started));
    await move(id, 'wait');
    await truth.query(`UPDATE runs SET lease_expires_at = now() - interval '1 hour' WHERE id = $1`, [id]);
    const resumed = (await move(id, 'resume')).body;
    expect(endsAt(resumed) - Date.parse(resumed.updated_at)).toBe(60_000);
    await move(id, 'cancel');
    const told = await move(id, 'heartbeat', { lease_token: started.lease_token });
    expect(told.body).toEqual({ status: 'cancelled', cancel_requested: true, lease_expires_at: null });
  });

  it('The token of a lease is told to its holder only', async () => {
    const held = await aRunningRun(api.admin, { agent_id, lease_seconds: 60 });
    const shown = await api.admin.get(`/v1/runs/${held.id}`);
    expect(shown.body.lease_expires_at).toBe(held.lease_expires_at);
    expect(shown.text).not.toContain(held.lease_token);
    expect((await move(held.id, 'wait')).text).not.toContain(held.lease_token);
  });

  it.each([
    ['start', 'lease_seconds', [0, 86_401, '60']],
    ['wait', 'kind', ['', 'k'.repeat(65), 5]],
    ['wait', 'question', ['q'.repeat(16_385), 5]],
    ['fail', 'error_type', ['', 'e'.repeat(257)]],
    ['fail', 'error', [5, null]],
    ['cancel', 'reason', ['r'.repeat(16_385), 5]],
    ['heartbeat', 'lease_token', ['no-id', null, 5]],
    ['succeed', 'error', ['no']],
    ['resume', 'answer', [true]],
  ] as [string, string, unknown[]][])(
    '%s with %s out of its bounds is refused',
    async (command, member, values) => {
      const { id } = await aRunningRun(api.admin, { agent_id });
      for (const value of values) {
        const refused = await move(id, command, { [member]: value });
        expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toContain(
          `/${member}`,
        );
        expect(refused.status).toBe(400);
      }
      expect((await api.admin.get(`/v1/runs/${id}`)).body.status).toBe('running');
    },
  );
});
