import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { aProject, aRun, aRunningRun, aStep, anAgent } from '../support/things.js';

const LARGEST = Number.MAX_SAFE_INTEGER;

describe('what is accepted, and in which form it is kept', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[V10] [F4] Counters are kept exactly up to the largest safe integer, and refused above', async () => {
    const run = await aRunningRun(api.admin);
    for (const count of [0, 2 ** 31, LARGEST]) {
      const step = await aStep(api.admin, run.id, { tokens_in: count, tokens_out: count, latency_ms: count });
      expect(step).toMatchObject({ tokens_in: count, tokens_out: count, latency_ms: count });
    }
    const shown = await api.admin.get(`/v1/runs/${run.id}`);
    expect(shown.text).toContain(`"tokens_in":${2n ** 31n + BigInt(LARGEST)},`);
    for (const count of ['9007199254740992', '9007199254740993', '12345678901234567890']) {
      const answer = await api.admin.post(`/v1/runs/${run.id}/steps`, `{"node":"n","tokens_in":${count}}`);
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/tokens_in']);
    }
  });

  it('[V7] [V10] A whole number is one in every spelling of JSON, and minus zero is zero', async () => {
    const run = await aRunningRun(api.admin);
    for (const [literal, count] of [
      ['5.0', 5],
      ['1e3', 1000],
      ['-0', 0],
      ['50e-1', 5],
    ] as const) {
      const answer = await api.admin.post(`/v1/runs/${run.id}/steps`, `{"node":"n","tokens_in":${literal}}`);
      expect([literal, answer.body.tokens_in]).toEqual([literal, count]);
      expect(answer.text).toContain(`"tokens_in":${count},`);
    }
  });

  it('[V10] Money is kept to ten decimals, as a number or as text, and never rounded', async () => {
    const run = await aRunningRun(api.admin);
    for (const [sent, kept] of [
      ['0.0000000001', '0.0000000001'],
      ['"0.1230"', '0.123'],
      ['1.23e-7', '0.000000123'],
      ['9999999999.9999999999', '9999999999.9999999999'],
      ['-0', '0'],
    ] as const) {
      const answer = await api.admin.post(`/v1/runs/${run.id}/steps`, `{"node":"n","cost_usd":${sent}}`);
      expect([sent, answer.body.cost_usd]).toEqual([sent, kept]);
    }
  });

  it('[V11] Moments are real and have a zone; they come back in UTC, cut to microseconds', async () => {
    const run = await aRunningRun(api.admin);
    for (const [sent, kept] of [
      ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000000Z'],
      ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000000Z'],
      ['2026-01-01T00:00:00.123456789-00:30', '2026-01-01T00:30:00.123456Z'],
      ['9999-12-31T23:59:59.999999Z', '9999-12-31T23:59:59.999999Z'],
      ['1970-01-01T00:00:00Z', '1970-01-01T00:00:00.000000Z'],
      ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.000000Z'],
    ] as const) {
      expect([sent, (await aStep(api.admin, run.id, { started_at: sent })).started_at]).toEqual([sent, kept]);
    }
    expect((await api.admin.get('/v1/runs?created_after=2024-02-29T00:00:00%2B01:00')).status).toBe(200);
    expect((await api.admin.get('/v1/runs?created_after=2023-02-29T00:00:00Z')).status).toBe(400);
  });

  it('[V12] A name has one form: composed, without space around it; uniqueness goes by that form', async () => {
    const composed = `caf\u00e9 ${Date.now()}`;
    const decomposed = composed.normalize('NFD');
    expect(decomposed).not.toBe(composed);
    expect((await aProject(api.admin, { name: `  ${decomposed}\u00a0` })).name).toBe(composed);
    const twin = await api.admin.post('/v1/projects', { name: composed });
    expect([twin.status, twin.body.code]).toEqual([409, 'name_taken']);
    const agent = await anAgent(api.admin, { name: composed });
    const other = await anAgent(api.admin);
    const renamed = await api.admin.patch(`/v1/agents/${other.id}`, { name: decomposed });
    expect([agent.name, renamed.status]).toEqual([composed, 409]);
  });

  it('[V12] [F11] A name has 128 characters at most, counted as people count, whatever they take in bytes', async () => {
    for (const character of ['x', 'é', '漢', '😀', 'a\u0301']) {
      const name = character.repeat(128);
      expect((await aProject(api.admin, { name })).name).toBe(name.normalize('NFC'));
      expect((await api.admin.post('/v1/projects', { name: `${name}x` })).status).toBe(400);
    }
  });

  it('[V7] In a query, false means false', async () => {
    const agent = await anAgent(api.admin);
    const kept = await api.admin.delete(`/v1/projects/${agent.project_id}?cascade=false`);
    expect([kept.status, kept.body.code]).toEqual([409, 'project.not_empty']);
    const run = await aRunningRun(api.admin, { agent_id: agent.id });
    expect((await api.admin.delete(`/v1/runs/${run.id}?force=false`)).body.code).toBe('run.active');
  });

  it('[V3] [V5] A tag finds the runs that carry it and no others, whatever it is made of', async () => {
    const tags = [
      "') OR 1=1 --",
      "' OR ''='",
      '"; DROP TABLE runs; --',
      '$.a',
      '{}',
      '["x"]',
      '%',
      '_',
      '\\',
      'null',
      '😀',
    ];
    const agent = await anAgent(api.admin);
    for (const tag of tags) await aRun(api.admin, { agent_id: agent.id, tags: [tag, 'common'] });
    for (const tag of tags) {
      const found = (await api.admin.get(`/v1/runs?agent_id=${agent.id}&tag=${encodeURIComponent(tag)}`)).body
        .data;
      expect(found.map((run: { tags: string[] }) => run.tags[0])).toEqual([tag]);
    }
    const session = "x' OR session_id IS NOT NULL --";
    await aRun(api.admin, { agent_id: agent.id, session_id: session });
    const filtered = `/v1/runs?agent_id=${agent.id}&session_id=${encodeURIComponent(session)}`;
    expect((await api.admin.get(filtered)).body.data).toHaveLength(1);
  });

  it('[V6] [V14] A change that says nothing changes nothing, and an id in the body of a change is refused', async () => {
    const agent = await anAgent(api.admin);
    expect((await api.admin.patch(`/v1/agents/${agent.id}`, {})).body).toEqual(agent);
    const run = await aRunningRun(api.admin);
    const step = await aStep(api.admin, run.id);
    for (const id of [step.id, agent.id]) {
      const answer = await api.admin.patch(`/v1/runs/${run.id}/steps/${step.id}`, { id, output: 1 });
      expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, '/id']);
    }
  });
});
