import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { anApi, type TestApi } from '../support/api.js';
import { exchange } from '../support/matrix/exchange.js';
import { aProject, anAgent } from '../support/things.js';

/** What a database says in an error, and no answer may: every part of it has this word in it. */
const CANARY = 'canary_of_the_database';

const MEMBERS = ['type', 'title', 'status', 'code', 'detail', 'instance', 'errors'];
const TELLTALES =
  /canary|select|insert|constraint|relation|column|postgres|pg_|sqlstate|\bat .*:\d+:\d+|typeorm|\.ts\b|\.js\b/i;

describe('errors of the database', () => {
  let api: TestApi;
  let superuser: pg.Client;

  beforeAll(async () => {
    api = await anApi();
    superuser = new pg.Client({ connectionString: api.database.adminUrl });
    await superuser.connect();
  });
  afterEach(() => superuser.query('DROP FUNCTION IF EXISTS fail CASCADE'));
  afterAll(async () => {
    await superuser.end();
    await api.close();
  });

  /** From now on every new project fails in the database with this code, in its own eloquent way. */
  async function letProjectsFail(sqlstate: string): Promise<void> {
    await superuser.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '${CANARY} message of %', NEW.name USING ERRCODE = '${sqlstate}', DETAIL = '${CANARY} detail',
          HINT = '${CANARY} hint', CONSTRAINT = '${CANARY}_constraint', TABLE = '${CANARY}_table',
          COLUMN = '${CANARY}_column', SCHEMA = '${CANARY}_schema';
      END $$;
      CREATE TRIGGER fail BEFORE INSERT ON projects FOR EACH ROW EXECUTE FUNCTION fail()`);
  }

  it.each([
    ['23505', 500, 'internal'],
    ['23503', 404, 'not_found'],
    ['23514', 400, 'invalid_request'],
    ['23502', 400, 'invalid_request'],
    ['22P02', 400, 'invalid_request'],
    ['22003', 400, 'invalid_request'],
    ['42501', 404, 'not_found'],
    ['42P01', 500, 'internal'],
    ['53200', 503, 'unavailable'],
    ['57014', 503, 'timeout'],
    ['XX000', 500, 'internal'],
    ['P0001', 500, 'internal'],
  ])(
    '[T22] %s is answered with %i and a code, without a word of what the database said',
    async (sqlstate, status, code) => {
      await letProjectsFail(sqlstate);
      const body = { name: `${CANARY} ${randomUUID()}` };
      const sent = { method: 'POST', path: '/v1/projects', key: api.adminKey, body };
      const reply = await exchange(api.url, sent);
      const problem = JSON.parse(reply.text);
      expect([reply.status, problem.code]).toEqual([status, code]);
      expect(Object.keys(problem).filter((member) => !MEMBERS.includes(member))).toEqual([]);
      expect(reply.text).not.toMatch(TELLTALES);
      expect(JSON.stringify(reply.headers)).not.toContain('canary');
    },
  );

  it('[T22] the log tells which constraint it was, and no value', async () => {
    await letProjectsFail('23514');
    const name = `value_${randomUUID()}`;
    const { headers } = await api.admin.post('/v1/projects', { name });
    const id = headers.get('x-request-id') ?? '?';
    const lines = api.log.filter((line) => line.includes(id));
    expect(lines.some((line) => line.includes(`${CANARY}_constraint`))).toBe(true);
    expect(lines.filter((line) => line.includes(name) || line.includes(`${CANARY} detail`))).toEqual([]);
  });

  it('[T22] conflicts of the product name the problem, and neither the index nor the value', async () => {
    const { name } = await aProject(api.admin);
    const agent = await anAgent(api.admin);
    for (const answer of [
      await api.admin.post('/v1/projects', { name }),
      await api.admin.post('/v1/agents', {
        name: agent.name,
        adapter: 'custom',
        project_id: agent.project_id,
      }),
      await api.admin.delete(`/v1/projects/${agent.project_id}`),
      await api.root.post('/v1/organizations', { name: 'x', slug: 'default' }),
    ]) {
      expect(answer.status).toBe(409);
      expect(answer.text).not.toMatch(TELLTALES);
      expect(answer.text).not.toContain(name);
      expect(answer.text).not.toContain(agent.name);
    }
  });
});
