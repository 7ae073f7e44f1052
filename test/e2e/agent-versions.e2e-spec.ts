import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { everyRow } from '../support/pages.js';
import { anAgent } from '../support/things.js';

describe('the versions of an agent', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  /** An agent whose version 1, 2, … has these definitions. */
  async function anAgentWith(...definitions: object[]) {
    const agent = await anAgent(api.admin, definitions[0] as Record<string, unknown>);
    for (const definition of definitions.slice(1))
      await api.admin.patch(`/v1/agents/${agent.id}`, definition);
    return `/v1/agents/${agent.id}`;
  }

  it('They are listed newest first and page by page, and shown one by one', async () => {
    const path = await anAgentWith({ config: { n: 1 } }, ...[2, 3, 4, 5].map((n) => ({ config: { n } })));
    const all = await everyRow(api.admin, `${path}/versions`, 2);
    expect(all.map(({ version, config }) => [version, config.n])).toEqual([5, 4, 3, 2, 1].map((n) => [n, n]));
    for (const row of all) {
      expect((await api.admin.get(`${path}/versions/${row.version}`)).body).toEqual(row);
    }
    for (const missing of ['0', '6', '01', '-1', 'latest', '99999999999']) {
      expect((await api.admin.get(`${path}/versions/${missing}`)).status).toBe(404);
    }
    expect((await api.admin.get(`/v1/agents/${randomUUID()}/versions`)).status).toBe(404);
  });

  it('A comparison names what was added, removed and changed by JSON Pointer; arrays and scalars are whole', async () => {
    const path = await anAgentWith(
      {
        adapter: 'custom',
        description: 'why',
        config: { 'a.b': 1, 'a/b': { '~': 1, same: [1] }, list: [1, { x: 1 }], old: null, n: 1, o: {} },
      },
      {
        adapter: 'autogen',
        description: null,
        config: { 'a.b': 2, 'a/b': { '~': 2, same: [1.0] }, list: [1, { x: 2 }], neu: {}, n: 1.0, o: [] },
      },
    );
    const diff = await api.admin.get(`${path}/versions/diff?from=1&to=2`);
    expect(diff.body).toEqual({
      from_version: 1,
      to_version: 2,
      adapter: { from: 'custom', to: 'autogen' },
      description: { from: 'why', to: null },
      config: {
        added: { '/neu': {} },
        removed: { '/old': null },
        changed: {
          '/a.b': { from: 1, to: 2 },
          '/a~1b/~0': { from: 1, to: 2 },
          '/list': { from: [1, { x: 1 }], to: [1, { x: 2 }] },
          '/o': { from: {}, to: [] },
        },
      },
    });
    const back = (await api.admin.get(`${path}/versions/diff?from=2&to=1`)).body.config;
    expect([back.added, back.removed]).toEqual([{ '/old': null }, { '/neu': {} }]);
    const none = (await api.admin.get(`${path}/versions/diff?from=2&to=2`)).body;
    expect(none).toMatchObject({
      adapter: null,
      description: null,
      config: { added: {}, removed: {}, changed: {} },
    });
  });

  it('A comparison with a version that is not there is 404, and one without two numbers 400', async () => {
    const path = await anAgentWith({});
    for (const query of ['from=1&to=2', 'from=2&to=1', 'from=7&to=7']) {
      expect((await api.admin.get(`${path}/versions/diff?${query}`)).status).toBe(404);
    }
    for (const query of ['', 'from=1', 'from=1&to=x', 'from=0&to=1', 'from=1&to=1&to=1', 'from=1&to=1&x=1']) {
      expect((await api.admin.get(`${path}/versions/diff?${query}`)).status).toBe(400);
    }
  });

  it('[I12] Restoring writes the next version with the old content and says where it is from', async () => {
    const [one, two] = [
      { adapter: 'custom', config: { n: 1 }, description: 'one' },
      { adapter: 'autogen', config: { n: 2 }, description: null },
    ];
    const path = await anAgentWith(one, two);
    const history = await everyRow(api.admin, `${path}/versions`, 50);
    const restored = await api.admin.post(`${path}/versions/1/restore`);
    expect([restored.status, restored.body]).toEqual([200, expect.objectContaining({ ...one, version: 3 })]);
    const [third, ...before] = await everyRow(api.admin, `${path}/versions`, 50);
    expect(third).toMatchObject({ ...one, version: 3, note: 'restored from v1' });
    expect(before).toEqual(history);
    const again = await api.admin.post(`${path}/versions/1/restore`);
    expect([again.status, again.text]).toEqual([200, restored.text]);
    expect((await api.admin.post(`${path}/versions/3/restore`)).body.version).toBe(3);
    expect((await api.admin.post(`${path}/versions/4/restore`)).status).toBe(404);
    expect((await api.admin.post(`${path}/versions/2/restore`)).body).toMatchObject({ ...two, version: 4 });
  });
});
