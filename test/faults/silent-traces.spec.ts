import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { anApi, type TestApi } from '../support/api.js';
import type { Client } from '../support/client.js';
import { aRunEnd, aRunStart, aStepStart } from '../support/items.js';
import { aSpan, aTrace, aTraceId, attributesOf, exportTo, runIdOf } from '../support/otlp.js';
import { atOnce } from '../support/race.js';
import { shownTrace, withoutIds } from '../support/shown-trace.js';
import { aRunningRun, anAgent, aProject, anOrganization } from '../support/things.js';
import { theTruth, type Truth } from '../support/truth.js';
import { housekeepers, roundsOf } from '../support/workers.js';

const PATIENCE = 1_800;
const LATER = PATIENCE + 1;

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

/** An organization with a home for traces. */
interface Tenant {
  key: string;
  client: Client;
}

describe('traces of which nothing comes any more', () => {
  let api: TestApi;
  let truth: Truth;
  let tenant: Tenant;
  beforeAll(async () => {
    api = await anApi();
    truth = theTruth(api.database);
    tenant = await aTenant();
  });
  afterAll(async () => {
    await truth.close();
    await api.close();
  });

  async function aTenant(): Promise<Tenant> {
    const key = (await anOrganization(api.root)).api_key.key as string;
    const client = api.as(key);
    await aProject(client);
    return { key, client };
  }

  const send = async (spans: object[], key = tenant.key): Promise<void> =>
    expect(await exportTo(api, spans, { key })).toMatchObject({ status: 200, rejected: 0 });

  /** What the rounds of so many at work came to: how many traces each ended. */
  const ended = async (count = 1, patience = PATIENCE): Promise<number[]> =>
    (await roundsOf(api.database, housekeepers(count, patience))).map(({ traces }) => traces);

  /** A trace without its root, silent for so long. */
  async function aRootless(seconds: number, key = tenant.key) {
    const traceId = aTraceId();
    const [root, ...rest] = aTrace(traceId);
    await send(rest, key);
    const runId = runIdOf(traceId);
    await truth.silentFor(runId, seconds);
    return { traceId, runId, root: root as object, rest };
  }

  const run = async (id: string, client = tenant.client): Promise<Row> =>
    (await client.get(`/v1/runs/${id}?include=steps,tool_calls`)).body;

  async function expectGapless(runId: string): Promise<void> {
    const events = await truth.events(runId);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, i) => i + 1));
    const [row] = await truth.query('SELECT last_event_seq::integer AS last FROM runs WHERE id = $1', [
      runId,
    ]);
    expect(row.last).toBe(events.length);
  }

  const INCOMPLETE = { status: 'failed', error_type: 'trace_incomplete', is_terminal: true };

  it('[O5] A trace whose root never comes fails as incomplete after the patience and not before, once', async () => {
    const { runId } = await aRootless(PATIENCE - 10);
    expect(await ended()).toEqual([0]);
    expect(await run(runId)).toMatchObject({ status: 'running' });
    await truth.silentFor(runId, LATER);
    expect(await ended()).toEqual([1]);
    const failed = await run(runId);
    expect(failed).toMatchObject(INCOMPLETE);
    expect(failed.error).toContain('incomplete');
    expect(failed.totals).toMatchObject({ steps: 1, failed_steps: 0, tokens_in: 5, tokens_out: 7 });
    const told = await truth.told(runId);
    expect(told.filter((type) => type === 'run.failed')).toHaveLength(1);
    expect(told.at(-1)).toBe('run.failed');
    expect((await truth.events(runId)).at(-1)?.data).toMatchObject({ error_type: 'trace_incomplete' });
    await expectGapless(runId);
    expect(await ended()).toEqual([0]);
    expect(await truth.told(runId)).toEqual(told);
  });

  it('[Z11] Silence is counted from what came last, even where it said nothing new', async () => {
    const { runId, traceId, rest } = await aRootless(LATER);
    const parentSpanId = (rest[0] as Row).spanId;
    const before = await truth.run(runId);
    // A span of a web client is kept as it came, and is no part of the run.
    const attributes = attributesOf({ 'http.request.method': 'GET' });
    await send([{ ...aSpan(traceId, { parentSpanId, name: 'GET', kind: 3 }), attributes }]);
    expect(await truth.run(runId)).toBe(before);
    expect(await ended()).toEqual([0]);
    await truth.silentFor(runId, LATER);
    await send([aSpan(traceId, { attributes: { 'gen_ai.operation.name': 'chat' }, parentSpanId })]);
    expect(await ended()).toEqual([0]);
    expect(await run(runId)).toMatchObject({ status: 'running' });
    await truth.silentFor(runId, LATER);
    expect(await ended()).toEqual([1]);
  });

  it('[O5] A root that comes late makes the run what it would have been, and everything counts once', async () => {
    const { runId, traceId, root } = await aRootless(LATER);
    expect(await ended()).toEqual([1]);
    await send([root]);
    const whole = aTraceId();
    await send(aTrace(whole));
    const late = await shownTrace(tenant.client, traceId);
    expect(late.status).toBe('succeeded');
    expect(withoutIds(late)).toEqual(withoutIds(await shownTrace(tenant.client, whole)));
    const told = await truth.told(runId);
    expect(told.filter((type) => /^run\.(failed|succeeded)$/.test(type))).toEqual([
      'run.failed',
      'run.succeeded',
    ]);
    await expectGapless(runId);
    // What is said then is final.
    await truth.silentFor(runId, LATER);
    expect(await ended()).toEqual([0]);
    expect((await tenant.client.post(`/v1/runs/${runId}/fail`)).status).toBe(409);
  });

  it('[O5] A root that comes late and failed says why, in an event of its own', async () => {
    const { runId, root } = await aRootless(LATER);
    await ended();
    await send([{ ...root, status: { code: 2, message: 'no more cheese' } }]);
    expect(await run(runId)).toMatchObject({ status: 'failed', error: 'no more cheese' });
    expect((await run(runId)).error_type).not.toBe('trace_incomplete');
    const failures = (await truth.events(runId)).filter(({ type }) => type === 'run.failed');
    expect(failures.map(({ data }) => data.error)).toEqual([expect.any(String), 'no more cheese']);
    await expectGapless(runId);
  });

  it('[O4] The same pieces again leave it as it is', async () => {
    const { runId, rest } = await aRootless(LATER);
    await ended();
    const [row, told] = [await truth.run(runId), await truth.told(runId)];
    await send(rest);
    expect([await truth.run(runId), await truth.told(runId)]).toEqual([row, told]);
  });

  describe('with something open', () => {
    const START = '2026-11-29T15:24:02.379001Z';
    const END = '2026-11-29T15:24:09.379001Z';

    async function post(body: object): Promise<void> {
      const response = await fetch(`${api.url}/langsmith/runs/batch`, {
        method: 'POST',
        headers: { 'x-api-key': tenant.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect([response.status, await response.text()]).toEqual([202, expect.any(String)]);
    }

    /** A trace as LangSmith's clients report it: each part when it begins, and again when it ends. */
    async function aLangsmithTrace() {
      const [runId, model, tool] = [randomUUID(), randomUUID(), randomUUID()];
      const common = { trace_id: runId, start_time: START };
      const below = { ...common, parent_run_id: runId };
      await post({
        post: [
          { ...common, id: runId, name: 'agent', run_type: 'chain', inputs: { q: 1 } },
          { ...below, id: model, name: 'model', run_type: 'llm' },
          { ...below, id: tool, name: 'search', run_type: 'tool', inputs: { q: 1 } },
        ],
      });
      const end = (id: string, members: object = {}) =>
        post({
          patch: [
            {
              id,
              trace_id: runId,
              end_time: END,
              ...(id === runId ? {} : { parent_run_id: runId }),
              ...members,
            },
          ],
        });
      return { runId, model, tool, end };
    }

    const inShort = async (id: string): Promise<Row> => {
      const { status, error_type, ended_at, totals, steps, tool_calls, input, output } = await run(id);
      const child = ({ name, node, status, error_type, ended_at, latency_ms, metadata }: Row) => ({
        name,
        node,
        status,
        error_type,
        ended_at,
        latency_ms,
        flags: metadata['agentflow.flags'],
      });
      return {
        ...{ status, error_type, ended_at, totals, input, output },
        steps: steps.data.map(child),
        calls: tool_calls.data.map(child),
      };
    };

    it('[S5] It fails with the trace, and is open again when the trace turns out to go on', async () => {
      const { runId, model, tool, end } = await aLangsmithTrace();
      const before = await inShort(runId);
      await truth.silentFor(runId, LATER);
      expect(await ended()).toEqual([1]);
      const swept = await inShort(runId);
      expect(swept).toMatchObject({
        ...{ status: 'failed', totals: { steps: before.totals.steps, failed_tool_calls: 1 } },
        calls: [{ name: 'search', status: 'failed', error_type: 'run_ended', flags: ['open_at_end'] }],
      });
      expect(swept.totals.failed_steps).toBe(before.totals.steps);
      for (const step of swept.steps)
        expect(step).toMatchObject({ status: 'failed', error_type: 'run_ended', flags: ['open_at_end'] });
      await expectGapless(runId);

      await end(model, { outputs: {} });
      const reopened = await inShort(runId);
      expect(reopened).toMatchObject({
        status: 'running',
        error_type: null,
        ended_at: null,
        input: before.input,
      });
      expect(reopened.totals).toMatchObject({ failed_steps: 0, failed_tool_calls: 0 });
      expect(reopened.calls).toEqual(before.calls);
      expect(reopened.steps.filter(({ status }: Row) => status === 'succeeded')).toHaveLength(1);
      const told = await truth.told(runId);
      expect(told.indexOf('run.resumed')).toBeGreaterThan(told.indexOf('run.failed'));
      await expectGapless(runId);
      expect(await ended()).toEqual([0]);

      // It may fall silent again, and end after all.
      await truth.silentFor(runId, LATER);
      expect(await ended()).toEqual([1]);
      await end(tool, { outputs: { found: 1 } });
      await end(runId, { outputs: { a: 2 } });
      const other = await aLangsmithTrace();
      await other.end(other.model, { outputs: {} });
      await other.end(other.tool, { outputs: { found: 1 } });
      await other.end(other.runId, { outputs: { a: 2 } });
      expect(await inShort(runId)).toEqual(await inShort(other.runId));
      await expectGapless(runId);
    });

    it('[S5] It stays open when the trace turns out to have succeeded around it', async () => {
      const { runId, end } = await aLangsmithTrace();
      await truth.silentFor(runId, LATER);
      expect(await ended()).toEqual([1]);
      await end(runId, { outputs: { a: 2 } });
      const other = await aLangsmithTrace();
      await other.end(other.runId, { outputs: { a: 2 } });
      const after = await inShort(runId);
      expect(after).toEqual(await inShort(other.runId));
      expect(after).toMatchObject({ status: 'succeeded', totals: { failed_steps: 0, failed_tool_calls: 0 } });
      await expectGapless(runId);
    });
  });

  it('What our own clients say of it counts as well, and nothing that was known is lost', async () => {
    const { runId } = await aRootless(LATER);
    await ended();
    const before = await run(runId);
    const step = randomUUID();
    expect((await tenant.client.post('/v1/ingest', [aStepStart(runId, step)])).body.counts.created).toBe(1);
    const after = await run(runId);
    expect(after).toMatchObject({ status: 'running', input: before.input, name: before.name, error: null });
    expect(after.totals).toMatchObject({ steps: 2, tokens_in: 5 });
    expect((await tenant.client.post(`/v1/runs/${runId}/succeed`)).status).toBe(200);
    await expectGapless(runId);
  });

  it('Several at work end each trace once, in every organization its own', async () => {
    const tenants = await atOnce(3, aTenant);
    const traces: (Awaited<ReturnType<typeof aRootless>> & { one: Tenant })[] = [];
    // More than go into one transaction.
    for (let i = 0; i < 40; i++)
      traces.push(
        ...(await Promise.all(tenants.map(async (one) => ({ ...(await aRootless(LATER, one.key)), one })))),
      );
    const counts = await ended(3);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(traces.length);
    for (const { runId, one } of traces) {
      expect(await run(runId, one.client)).toMatchObject(INCOMPLETE);
      const told = await truth.told(runId);
      expect(told.filter((type) => type === 'run.failed')).toHaveLength(1);
    }
    const tenantsOf = await truth.query(
      `SELECT count(*)::integer AS count FROM run_events e JOIN runs r ON r.id = e.run_id WHERE r.tenant_id <> e.tenant_id`,
    );
    expect(tenantsOf).toEqual([{ count: 0 }]);
  });

  it('A root that comes while it is ended wins, whoever is first', async () => {
    for (let round = 0; round < 15; round++) {
      const traces = await atOnce(4, () => aRootless(LATER));
      await Promise.all([ended(2), ...traces.map(({ root }) => send([root]))]);
      for (const { runId } of traces) {
        expect(await run(runId)).toMatchObject({ status: 'succeeded', totals: { steps: 1, tokens_in: 5 } });
        await expectGapless(runId);
      }
    }
  });

  describe('is nothing to', () => {
    /** What is silent, and stays as it is. */
    const UNTOUCHED: [what: string, make: () => Promise<string>][] = [
      ['a run of our own clients', async () => (await aRunningRun(tenant.client, await ofAgent())).id],
      [
        'a run with a lease',
        async () => (await aRunningRun(tenant.client, { ...(await ofAgent()), lease_seconds: 3_600 })).id,
      ],
      [
        'a run that our own clients have only named',
        async () => {
          const id = randomUUID();
          await tenant.client.post('/v1/ingest', [aStepStart(id)]);
          return id;
        },
      ],
      [
        'a run of our own clients with spans of others',
        async () => {
          const { id } = await aRunningRun(tenant.client, await ofAgent());
          const [root, ...rest] = aTrace();
          const attributes = { 'gen_ai.operation.name': 'chat', 'agentflow.run.id': id };
          const { traceId, spanId } = root as Row;
          await send([...rest.slice(2), aSpan(traceId, { parentSpanId: spanId, attributes })]);
          expect((await run(id)).totals.steps).toBe(1);
          return id;
        },
      ],
      [
        'a trace that our own clients have announced',
        async () => {
          const { runId: id } = await aRootless(0);
          const { counts } = (await tenant.client.post('/v1/ingest', [aRunStart(id)])).body;
          expect(counts).toMatchObject({ updated: 1 });
          return id;
        },
      ],
      [
        'a trace that waits for a human',
        async () => {
          const traceId = aTraceId();
          await send([aSpan(traceId, { attributes: { 'agentflow.run.status': 'waiting_human' } })]);
          return runIdOf(traceId);
        },
      ],
      [
        'a trace that somebody cancelled',
        async () => {
          const { runId } = await aRootless(0);
          await tenant.client.post(`/v1/runs/${runId}/cancel`);
          return runId;
        },
      ],
    ];
    const ofAgent = async (): Promise<{ agent_id: string }> => ({
      agent_id: (await anAgent(tenant.client)).id,
    });

    it.each(UNTOUCHED)('%s', async (_what, make) => {
      const id = await make();
      await truth.silentFor(id, 400 * 86_400);
      const before = await truth.run(id);
      expect(before).toBeDefined();
      expect(await ended()).toEqual([0]);
      expect(await truth.run(id)).toBe(before);
    });

    it('anything when it is switched off', async () => {
      const { runId } = await aRootless(400 * 86_400);
      expect(await ended(1, 0)).toEqual([0]);
      expect(await run(runId)).toMatchObject({ status: 'running' });
      expect(await ended()).toEqual([1]);
    });
  });

  it('An end that a client gave itself stays, whatever comes of the trace', async () => {
    const { runId, root } = await aRootless(0);
    await tenant.client.post(`/v1/runs/${runId}/fail`, { error: 'mine', error_type: 'mine' });
    await send([root]);
    await tenant.client.post('/v1/ingest', [aRunEnd(runId)]);
    expect(await run(runId)).toMatchObject({ status: 'failed', error: 'mine', error_type: 'mine' });
  });
});
