import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { itemText, verdictsAmongOthers } from '../support/item-texts.js';
import { aRunEnd, aRunStart, at } from '../support/items.js';
import { aProject } from '../support/things.js';

const FLAGS = 'agentflow.flags';
const WITH_METADATA = [
  ...['run.started', 'step.started', 'step.updated', 'step.finished'],
  ...['tool_call.started', 'tool_call.completed'],
];
/** Spellings of the member that holds the flags. */
const SPELLINGS = [FLAGS, 'agentflow\\u002eflags', '\\u0061gentflow.flags', 'agentflow.flag\\u0073'];

describe('flags in what is reported', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  it.each(WITH_METADATA)('A %s that sets flags is refused, however it spells them', async (type) => {
    for (const name of SPELLINGS) {
      const metadata = `{"a":1,"${name}":["open_at_end"]}`;
      expect(await verdictsAmongOthers(api.admin, itemText(type, { metadata }))).toEqual([
        {
          ...{ verdict: 'rejected', code: 'invalid_request', pointer: `/metadata/${FLAGS}` },
          detail: 'is kept by AgentFlow itself',
        },
      ]);
    }
  });

  it.each(WITH_METADATA)('A %s may speak of flags, in values and further down', async (type) => {
    for (const metadata of [
      `{"note":"about ${FLAGS}"}`,
      `{"in":{"${FLAGS}":["open_at_end"]}}`,
      '{"a\\nb":1}',
    ]) {
      const [verdict] = await verdictsAmongOthers(api.admin, itemText(type, { metadata }));
      expect(verdict?.verdict).toBe('created');
    }
  });

  it('What others report under the name of the flags is kept as theirs, and opens nothing that has ended', async () => {
    const root = randomUUID();
    const child = { trace_id: root, parent_run_id: root, id: randomUUID(), name: 'step', run_type: 'chain' };
    const metadata = { [FLAGS]: ['open_at_end'], ours: 1 };
    const times = { start_time: at(0), end_time: at(1_000) };
    const post = [
      { id: root, trace_id: root, name: 'root', run_type: 'chain', start_time: at(0) },
      { ...child, ...times, extra: { metadata, [FLAGS]: ['late'] } },
      { ...child, ...times, id: randomUUID(), extra: { metadata }, run_type: 'tool' },
    ];
    expect((await api.admin.post('/langsmith/runs/batch', { post })).status).toBe(202);
    expect(await shown(root)).toEqual([
      ['succeeded', { ours: 1, reported: { [FLAGS]: ['open_at_end'] } }],
      ['succeeded', { ours: 1, reported: { [FLAGS]: ['open_at_end'] } }],
    ]);
    await api.admin.post('/v1/ingest', [aRunStart(root), aRunEnd(root, { status: 'failed' })]);
    const statuses = (await shown(root)).map(([status]) => status);
    expect(statuses).toEqual(['succeeded', 'succeeded']);
  });

  async function shown(run: string): Promise<[string, unknown][]> {
    const { steps, tool_calls } = (await api.admin.get(`/v1/runs/${run}?include=steps,tool_calls`)).body;
    return [...steps.data, ...tool_calls.data].map(({ status, metadata }) => [status, metadata]);
  }
});
