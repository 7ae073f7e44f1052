import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import type { Client } from '../support/client.js';
import { everyRow } from '../support/pages.js';
import { aPairOfApis, type ApiPair } from '../support/pair.js';
import { atOnce } from '../support/race.js';
import { aProject, anAgent } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';

const GATE = 4711;

describe('changes of agents that meet over two api instances', () => {
  let apis: ApiPair;
  let truth: Truth;
  let project_id: string;
  beforeAll(async () => {
    apis = await aPairOfApis();
    truth = theTruth(apis.first.database);
    project_id = (await aProject(apis.first.admin)).id;
  });
  afterAll(async () => {
    await truth.close();
    await apis.close();
  });

  const at = (i: number): Client => apis.admins[i % 2] as Client;
  const historyOf = (id: string) => everyRow(at(0), `/v1/agents/${id}/versions`, 50);
  const upTo = (n: number): number[] => Array.from({ length: n }, (_number, i) => i + 1);

  it('[I11] Of 20 changes at once each gets its own number, and each snapshot is what its change left', async () => {
    const agent = await anAgent(at(0), { project_id });
    const path = `/v1/agents/${agent.id}`;
    const changed = await atOnce(20, (i) =>
      at(i).patch(path, { config: { change: i }, note: `change ${i}` }),
    );
    expect(changed.map(({ status }) => status)).toEqual(changed.map(() => 200));
    const history = (await historyOf(agent.id)).reverse();
    expect(history.map(({ version }) => version)).toEqual(upTo(21));
    for (const [i, { body }] of changed.entries()) {
      const { version, config, note } = history[body.version - 1];
      expect([version, config, note]).toEqual([body.version, { change: i }, `change ${i}`]);
      expect(body.config).toEqual({ change: i });
    }
    expect((await at(1).get(path)).body).toMatchObject({ version: 21, config: history[20].config });
  });

  it('[I11] Changes of different members at once all count: none undoes another', async () => {
    const agent = await anAgent(at(0), { project_id });
    const path = `/v1/agents/${agent.id}`;
    const name = `renamed ${randomUUID()}`;
    await Promise.all([
      at(0).patch(path, { adapter: 'autogen' }),
      at(1).patch(path, { config: { c: 1 } }),
      at(0).patch(path, { description: 'd' }),
      at(1).patch(path, { name }),
    ]);
    const { body } = await at(0).get(path);
    expect(body).toMatchObject({ name, adapter: 'autogen', config: { c: 1 }, description: 'd', version: 4 });
  });

  it('[I11] With If-Match exactly one of many changes at once passes, and the others learn the new version', async () => {
    const agent = await anAgent(at(0), { project_id });
    for (const seen of [1, 2, 3]) {
      const answers = await atOnce(10, (i) =>
        at(i).patch(`/v1/agents/${agent.id}`, { description: `${seen}.${i}` }, { 'if-match': `"${seen}"` }),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const { status, body } of answers.filter((answer) => answer.status !== 200)) {
        expect([status, body.code, body.current_version]).toEqual([412, 'version_mismatch', seen + 1]);
      }
    }
  });

  it('[I12] Restoring while others change writes versions of its own and leaves the history as it is', async () => {
    const agent = await anAgent(at(0), { project_id, config: { first: true } });
    const path = `/v1/agents/${agent.id}`;
    for (const i of upTo(4)) await at(i).patch(path, { config: { before: i } });
    const hashOf = async (versions: number): Promise<string> => {
      const rows = await truth.query(
        `SELECT v::text AS row FROM agent_versions v WHERE agent_id = $1 AND version <= $2 ORDER BY version`,
        [agent.id, versions],
      );
      return createHash('sha256').update(JSON.stringify(rows)).digest('hex');
    };
    const before = await hashOf(5);
    const answers = await atOnce(20, (i) =>
      i % 4 === 0 ? at(i).post(`${path}/versions/1/restore`) : at(i).patch(path, { config: { race: i } }),
    );
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(await hashOf(5)).toBe(before);
    const history = (await historyOf(agent.id)).reverse();
    expect(history.map(({ version }) => version)).toEqual(upTo(history.length));
    for (const [i, { body }] of answers.entries()) {
      const expected = i % 4 === 0 ? { first: true } : { race: i };
      expect([body.config, history[body.version - 1].config]).toEqual([expected, expected]);
    }
    for (const { note, config } of history.slice(1)) {
      if (config.first) expect(note).toBe('restored from v1');
    }
    // Two restorations in a row are one; no change is ever lost.
    expect(history.filter(({ config }) => config.race !== undefined)).toHaveLength(15);
  });

  it('The same name registered many times at once is one agent, with one version for one definition', async () => {
    for (let round = 0; round < 10; round++) {
      const agent = { name: `agent ${randomUUID()}`, adapter: 'custom', config: { round } };
      const runs = await atOnce(8, (i) => at(i).post('/v1/runs', { agent, project_id }));
      expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 201));
      expect(new Set(runs.map(({ body }) => body.agent_id)).size).toBe(1);
      expect(runs.map(({ body }) => body.agent_version)).toEqual(runs.map(() => 1));
      expect(await historyOf(runs[0]?.body.agent_id)).toHaveLength(1);
    }
  });

  it('Different definitions of one name at once end in one agent, whose versions are as many as the changes', async () => {
    const name = `agent ${randomUUID()}`;
    const runs = await atOnce(10, (i) =>
      at(i).post('/v1/runs', { agent: { name, adapter: 'custom', config: { i } }, project_id }),
    );
    const history = (await historyOf(runs[0]?.body.agent_id)).reverse();
    expect(history.map(({ version }) => version)).toEqual(upTo(10));
    for (const [i, { body }] of runs.entries()) expect(history[body.agent_version - 1].config).toEqual({ i });
  });

  it('An agent that is created, or renamed, under one name many times at once exists once', async () => {
    const name = `agent ${randomUUID()}`;
    const made = await atOnce(8, (i) => at(i).post('/v1/agents', { project_id, name, adapter: 'custom' }));
    expect(made.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    const others = await atOnce(5, (i) => anAgent(at(i), { project_id }));
    const newName = `agent ${randomUUID()}`;
    const renamed = await Promise.all(
      others.map(({ id }, i) => at(i).patch(`/v1/agents/${id}`, { name: newName })),
    );
    expect(renamed.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
  });

  it('A run that names its agent has the definition that it stated, whatever others state under the name', async () => {
    const name = `agent ${randomUUID()}`;
    const reporter = async (adapter: string, i: number): Promise<void> => {
      for (let n = 0; n < 40; n++) {
        const { body } = await at(i).post('/v1/runs', { agent: { name, adapter }, project_id });
        const { agent_id, agent_version } = body as { agent_id: string; agent_version: number };
        const version = await at(i).get(`/v1/agents/${agent_id}/versions/${agent_version}`);
        expect([body.adapter, version.body.adapter]).toEqual([adapter, adapter]);
      }
    };
    await Promise.all(['one', 'two', 'one', 'two'].map(reporter));
  });

  it('A run that is on its way while its agent is deleted goes with it', async () => {
    const agent = await anAgent(at(0), { project_id });
    const gate = new pg.Client({ connectionString: apis.first.database.adminUrl });
    await gate.connect();
    await gate.query(`CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(${GATE}); RETURN NEW; END $$`);
    await gate.query('CREATE TRIGGER wait AFTER INSERT ON run_events FOR EACH ROW EXECUTE FUNCTION wait()');
    await gate.query('SELECT pg_advisory_lock($1)', [GATE]);
    const waiting = async (what: string): Promise<void> => {
      const held = `SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE $1`;
      while ((await truth.query(held, [what])).length === 0);
    };
    // With a key it has a transaction of its own, and stays in it for as long as it waits.
    const creation = at(0).post('/v1/runs', { agent_id: agent.id }, { 'idempotency-key': agent.id });
    await waiting('WITH draft AS%');
    const deletion = at(1).delete(`/v1/agents/${agent.id}`);
    await waiting('DELETE FROM agents%');
    await gate.query('SELECT pg_advisory_unlock($1)', [GATE]);
    const [run, deleted] = [await creation, await deletion];
    await gate.query('DROP FUNCTION wait CASCADE');
    await gate.end();
    expect([run.status, deleted.status]).toEqual([201, 204]);
    expect((await at(0).get(`/v1/runs/${run.body.id}`)).status).toBe(404);
    expect(await truth.count('agents', 'id = $1', [agent.id])).toBe(0);
  });
});
