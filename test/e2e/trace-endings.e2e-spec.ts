import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import { at } from '../support/items.js';
import { aProject } from '../support/things.js';

type Record = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

/** A reporter whose traces may have several roots, one after the other. */
interface Reporter {
  run(id: string): string;
  send(api: TestApi, records: readonly object[]): Promise<void>;
  announcement(id: string): object;
  root(id: string, name: string, start: number, end: number | undefined, error?: string): object;
}

const REPORTERS: { [name: string]: Reporter } = {
  'OpenAI Agents': {
    run: (id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    send: async (api, data) => {
      const { status, body } = await api.admin.post('/openai/v1/traces/ingest', { data });
      expect([status, body.refused]).toEqual([200, []]);
    },
    announcement: (id) => ({ object: 'trace', id: `trace_${id}`, workflow_name: 'flow', group_id: 'g' }),
    root: (id, name, start, end, error) => ({
      ...{ object: 'trace.span', id: `span_${name}`, trace_id: `trace_${id}`, parent_id: null },
      ...{ started_at: at(start), ended_at: end === undefined ? null : at(end) },
      span_data: { type: 'agent', name },
      error: error === undefined ? null : { message: error },
    }),
  },
  Langfuse: {
    run: (id) => id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    send: async (api, batch) => {
      const { status, body } = await api.admin.post('/langfuse/api/public/ingestion', { batch });
      expect([status, body.errors]).toEqual([207, []]);
    },
    announcement: (id) => ({
      ...{ id: randomUUID(), type: 'trace-create', timestamp: at(0) },
      body: { id, name: 'flow', sessionId: 'g', output: { a: 1 } },
    }),
    root: (id, name, start, end, error) => ({
      ...{ id: randomUUID(), type: 'span-create', timestamp: at(start) },
      body: {
        ...{ id: name, traceId: id, name, startTime: at(start) },
        ...(end === undefined ? {} : { endTime: at(end) }),
        ...(error === undefined ? {} : { level: 'ERROR', statusMessage: error }),
      },
    }),
  },
};

function permutations<T>(list: readonly T[]): T[][] {
  if (list.length < 2) return [[...list]];
  return list.flatMap((one, i) =>
    permutations(list.filter((_other, j) => j !== i)).map((rest) => [one, ...rest]),
  );
}

describe.each(Object.entries(REPORTERS))('traces of %s with roots one after the other', (_name, reporter) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
    await aProject(api.admin);
  });
  afterAll(() => api.close());

  const anId = (): string => randomBytes(16).toString('hex');
  async function shown(id: string): Promise<Record> {
    const run = (await api.admin.get(`/v1/runs/${reporter.run(id)}?include=steps`)).body;
    const steps = run.steps.data.map(({ node, status, started_at, ended_at, error }: Record) => {
      return { node, status, started_at, ended_at, error };
    });
    const { status, error, name, session_id, output, started_at, ended_at, totals, waiting_for, agent_id } =
      run;
    return {
      ...{ status, error, name, session_id, output, started_at, ended_at, totals, waiting_for, agent_id },
      steps: steps.sort((a: Record, b: Record) => (a.node < b.node ? -1 : 1)),
    };
  }

  it('[O5] A root that comes later moves the end, and fails the run', async () => {
    const id = anId();
    await reporter.send(api, [reporter.announcement(id), reporter.root(id, 'a', 0, 1_000)]);
    expect(await shown(id)).toMatchObject({ status: 'succeeded', ended_at: at(1_000) });
    await reporter.send(api, [reporter.root(id, 'b', 2_000, 9_000, 'no')]);
    expect(await shown(id)).toMatchObject({ status: 'failed', error: 'no', ended_at: at(9_000) });
  });

  it('[O5] A root that is still open opens the run again, until it ends', async () => {
    const id = anId();
    await reporter.send(api, [reporter.announcement(id), reporter.root(id, 'a', 0, 1_000)]);
    await reporter.send(api, [reporter.root(id, 'b', 2_000, undefined)]);
    expect(await shown(id)).toMatchObject({ status: 'running', ended_at: null });
    await reporter.send(api, [reporter.root(id, 'b', 2_000, 9_000)]);
    expect(await shown(id)).toMatchObject({ status: 'succeeded', ended_at: at(9_000) });
  });

  it('[S9] What was decided here stands, whatever the trace says', async () => {
    const id = anId();
    const run = reporter.run(id);
    await reporter.send(api, [reporter.announcement(id), reporter.root(id, 'a', 0, undefined)]);
    expect((await api.admin.post(`/v1/runs/${run}/cancel`)).status).toBe(200);
    const { ended_at } = await shown(id);
    await reporter.send(api, [reporter.root(id, 'a', 0, 1_000)]);
    await reporter.send(api, [reporter.root(id, 'b', 2_000, 9_000, 'no')]);
    expect(await shown(id)).toMatchObject({ status: 'cancelled', ended_at });
    const other = anId();
    await reporter.send(api, [reporter.announcement(other), reporter.root(other, 'a', 0, undefined)]);
    const end = { type: 'run.finished', run_id: reporter.run(other), at: at(500), status: 'succeeded' };
    expect((await api.admin.post('/v1/ingest', [end])).body.counts.updated).toBe(1);
    await reporter.send(api, [reporter.root(other, 'b', 2_000, 9_000, 'no')]);
    expect(await shown(other)).toMatchObject({ status: 'succeeded', ended_at: at(500) });
  });

  it('[O4] [O5] Any order of the records, one by one or in pairs, comes to the same rows', async () => {
    const recordsOf = (id: string): object[] => [
      reporter.announcement(id),
      reporter.root(id, 'a', 0, 1_000),
      reporter.root(id, 'b', 2_000, 9_000, 'no'),
      reporter.root(id, 'c', 3_000, 8_000, 'nor this'),
    ];
    const first = anId();
    await reporter.send(api, recordsOf(first));
    const whole = await shown(first);
    for (const order of permutations([0, 1, 2, 3])) {
      for (const size of [1, 2]) {
        const id = anId();
        const records = recordsOf(id);
        for (let i = 0; i < order.length; i += size) {
          await reporter.send(api, order.slice(i, i + size).map((n) => records[n] as object)); // prettier-ignore
        }
        expect(await shown(id)).toEqual(whole);
      }
    }
  }, 60_000);
});
