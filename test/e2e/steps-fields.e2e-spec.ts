import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aRunningRun, aStep } from '../support/things.js';

const FLAGS = 'agentflow.flags';
const START = '2026-02-03T04:05:06.000000Z';
const at = (seconds: number): string => `2026-02-03T04:05:${String(6 + seconds).padStart(2, '0')}.250900Z`;

describe('the fields of a step', () => {
  let api: TestApi;
  let run: { id: string };
  let steps: string;
  beforeAll(async () => {
    api = await anApi();
    run = await aRunningRun(api.admin);
    steps = `/v1/runs/${run.id}/steps`;
  });
  afterAll(() => api.close());

  it.each([
    ['node', [1, '', 'n'.repeat(257), null]],
    ['kind', ['LLM', '', 'k'.repeat(65), 5]],
    ['status', ['SUCCESS', 'succeeded ', 'success', null]],
    ['latency_ms', [-1, 1.5, '5', 2 ** 53, null]],
    ['tokens_in', [-1, 0.5, '1', 2 ** 53, true]],
    ['tokens_out', [-1, 1e300, '0x10', [1]]],
    ['cost_usd', [-1, '-0.1', '0.00000000001', 'free', '1e11', true, {}]],
    ['metadata', [[], 'x', null, 5]],
    ['token_details', [[], 'x', 5]],
    ['model', ['', 'm'.repeat(257)]],
    ['tier', ['', 't'.repeat(65)]],
    ['error_type', ['', 'e'.repeat(257)]],
    ['external_id', ['', 'x'.repeat(257), 5]],
    ['parent_step_id', ['no-id', 5, null]],
    ['id', ['no-id', 5, '']],
    ['started_at', ['2026-02-30T00:00:00Z', '2026-02-03', 5, '2026-02-03T00:00:00']],
    ['index', [5]],
    ['run_id', ['3f0e7f4e-0000-7000-8000-000000000000']],
    ['retry_count', [1]],
  ] as [string, unknown[]][])('%s out of its bounds is refused by its pointer', async (name, values) => {
    for (const value of values) {
      const refused = await api.admin.post(steps, { node: 'plan', [name]: value });
      expect([value, refused.status]).toEqual([value, 400]);
      expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([`/${name}`]);
    }
  });

  it.each([
    ['0.1', '0.1'],
    ['"0.10"', '0.1'],
    ['1.23e-7', '0.000000123'],
    ['9999999999.9999999999', '9999999999.9999999999'],
    ['"0"', '0'],
    ['1e9', '1000000000'],
  ])('A cost of %s is kept exactly and answered as %s', async (sent, shown) => {
    const made = await api.admin.post(steps, `{"node":"plan","cost_usd":${sent}}`);
    expect([made.status, made.body.cost_usd]).toEqual([201, shown]);
  });

  it('The latency is computed to the millisecond when it is absent and both times are known', async () => {
    const whole = { status: 'succeeded', started_at: START, ended_at: at(2) };
    expect((await aStep(api.admin, run.id, whole)).latency_ms).toBe(2250);
    expect((await aStep(api.admin, run.id, { ...whole, latency_ms: 7 })).latency_ms).toBe(7);
    const { id } = await aStep(api.admin, run.id, { started_at: START });
    const done = await api.admin.patch(`${steps}/${id}`, { status: 'failed', ended_at: at(1) });
    expect(done.body.latency_ms).toBe(1250);
  });

  it('What a reporter does not date is dated by the server: the start, the end, and so the latency', async () => {
    const step = await aStep(api.admin, run.id);
    const done = (await api.admin.patch(`${steps}/${step.id}`, { status: 'succeeded' })).body;
    expect(done.ended_at).toBe(done.updated_at);
    const took = Date.parse(done.ended_at) - Date.parse(done.started_at);
    expect(Math.abs(done.latency_ms - took)).toBeLessThanOrEqual(1);
    const reported = await aStep(api.admin, run.id, { status: 'succeeded', started_at: START });
    expect(reported.ended_at).toBe(reported.created_at);
    expect(reported.latency_ms).toBeGreaterThan(0);
    const pending = await aStep(api.admin, run.id, { status: 'pending' });
    expect(pending.started_at).toBe(null);
    const begun = (await api.admin.patch(`${steps}/${pending.id}`, { status: 'running' })).body;
    expect(begun.started_at).toBe(begun.updated_at);
  });

  it('An end before the start gives latency 0 and a flag, whoever dated the end', async () => {
    const reversed = await aStep(api.admin, run.id, {
      ...{ status: 'succeeded', started_at: at(2), ended_at: START, metadata: { mine: 1 } },
    });
    expect(reversed.latency_ms).toBe(0);
    expect(reversed.metadata).toEqual({ mine: 1, [FLAGS]: ['ended_before_start'] });
    const future = await aStep(api.admin, run.id, { started_at: '2999-01-01T00:00:00Z' });
    const done = (await api.admin.patch(`${steps}/${future.id}`, { status: 'succeeded' })).body;
    expect([done.latency_ms, done.metadata[FLAGS]]).toEqual([0, ['ended_before_start']]);
  });

  it('A flag does not stand between a repeat and what it repeats', async () => {
    const { id } = await aStep(api.admin, run.id, { started_at: at(2) });
    const completion = { status: 'succeeded', ended_at: START, metadata: { mine: 1 } };
    const done = await api.admin.patch(`${steps}/${id}`, completion);
    expect(done.body.metadata[FLAGS]).toEqual(['ended_before_start']);
    expect((await api.admin.patch(`${steps}/${id}`, completion)).text).toBe(done.text);
  });

  it('A step that is still open has no end: a report that says one without a final status is refused', async () => {
    const { id } = await aStep(api.admin, run.id);
    for (const refused of [
      await api.admin.post(steps, { node: 'plan', ended_at: START }),
      await api.admin.post(steps, { node: 'plan', status: 'pending', ended_at: START }),
      await api.admin.patch(`${steps}/${id}`, { ended_at: START }),
      await api.admin.patch(`${steps}/${id}`, { status: 'retrying', ended_at: START }),
    ]) {
      expect([refused.status, refused.body.errors[0].pointer]).toEqual([400, '/ended_at']);
    }
  });
});
