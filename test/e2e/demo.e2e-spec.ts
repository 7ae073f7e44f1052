import { AgentFlow } from '@agentflow/sdk';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { AgentFlowHandler } from '../../examples/langgraph/agentflow-handler.js';
import { runApproved, runCancelled } from '../../examples/langgraph/approval.js';
import { runDemo } from '../../examples/langgraph/main.js';
import type { WholeRun } from '../../examples/langgraph/read-run.js';
import { drawRun } from '../../examples/langgraph/run-tree.js';
import { anApi, type TestApi } from '../support/api.js';
import { anSdk } from '../support/sdk.js';
import { aKey, aProject } from '../support/things.js';
import { theTruth } from '../support/truth.js';

const QUESTION = 'Is Saturday a good day for a trip from Berlin to Lisbon?';
const ANSWER = 'Yes: Saturday is sunny at 24 °C, and TP 535 leaves at 06:25 for 119 EUR.';
const WEATHER = { city: 'Lisbon', sky: 'sunny', celsius: 24 };
const FLIGHTS = [{ flight: 'TP 535', from: 'BER', to: 'LIS', leaves: '06:25', eur: 119 }];

describe('a LangGraph agent that reports while it runs', () => {
  let api: TestApi;
  let client: AgentFlow;
  let key: string;
  let whole: WholeRun;
  const seenAtWork: string[] = [];
  beforeAll(async () => {
    api = await anApi();
    const project = await aProject(api.admin);
    key = (await aKey(api.admin, { scope: 'project', project_id: project.id, role: 'reporter' })).key;
    client = anSdk(api, { apiKey: key });
    const weatherDone = new AbortController();
    const work = async (tool: string): Promise<void> => {
      seenAtWork.push(await shown(tool));
      if (tool === 'weather') return weatherDone.abort();
      if (!weatherDone.signal.aborted) await once(weatherDone.signal, 'abort');
    };
    whole = await runDemo({ client, work });
  });
  afterAll(() => api.close());

  /** Waits until the api shows a tool at work: reported before it ended, or this never ends. */
  async function shown(tool: string): Promise<string> {
    for (;;) {
      const { data } = await client.runs.list({ status: 'running' }).page();
      for (const { id } of data) {
        for await (const call of client.runs.toolCalls.list(id)) {
          if (call.name === tool && call.status === 'running') return `${tool} ${call.status}`;
        }
      }
    }
  }

  it('Tools are seen at work while they work', () => {
    expect([...seenAtWork].sort()).toEqual(['flights running', 'flights running', 'weather running']);
  });

  it('The run has the agent, the question and the answer', async () => {
    const { run } = whole;
    expect(run).toMatchObject({
      name: 'trip to Lisbon',
      status: 'succeeded',
      adapter: 'langgraph',
      agent_version: 1,
    });
    expect(run.input).toEqual({ messages: [{ role: 'user', content: QUESTION }] });
    expect((run.output as { messages: unknown[] }).messages).toHaveLength(5);
    const agent = (await api.admin.get(`/v1/agents/${run.agent_id}`)).body;
    expect(agent).toMatchObject({
      name: 'trip planner',
      config: { model: 'fake-small', tools: ['weather', 'flights'] },
    });
  });

  it('Steps come in the order in which they began, each below the one that it belongs to, with its tokens', () => {
    const byId = new Map(whole.steps.map(({ id, index }) => [id, index]));
    const rows = whole.steps.map((step) => {
      const { index, node, kind, status, parent_step_id, model, tokens_in, tokens_out, token_details } = step;
      return [
        index,
        byId.get(parent_step_id ?? ''),
        node,
        kind,
        status,
        model,
        tokens_in,
        tokens_out,
        token_details,
      ];
    });
    const nothing = [null, null, null, null];
    expect(rows).toEqual([
      [0, undefined, 'agent', 'chain', 'succeeded', ...nothing],
      [1, 0, 'chat', 'llm', 'succeeded', 'fake-small', 412, 58, { cache_read: 256 }],
      [2, undefined, 'tools', 'chain', 'succeeded', ...nothing],
      [3, 2, 'weather', 'tool', 'succeeded', ...nothing],
      [4, 2, 'flights', 'tool', 'failed', ...nothing],
      [5, 2, 'flights', 'tool', 'succeeded', ...nothing],
      [6, undefined, 'agent', 'chain', 'succeeded', ...nothing],
      [7, 6, 'chat', 'llm', 'succeeded', 'fake-small', 655, 37, { cache_read: 412, reasoning: 12 }],
    ]);
    for (const { started_at, ended_at, latency_ms } of whole.steps) {
      expect(latency_ms).toBe(Date.parse(ended_at as string) - Date.parse(started_at as string));
    }
  });

  it('Each attempt at a tool is a call of its own, paired with its end, and the retry names the attempt that failed', () => {
    const [, , , weather, failed, retried] = whole.steps;
    const calls = whole.toolCalls.map((call) => {
      const { name, step_id, provider_call_id, status, arguments: asked, result, error, metadata } = call;
      return [name, step_id, provider_call_id, status, asked, result, error, metadata];
    });
    const [inCity, byAir] = [{ city: 'Lisbon', day: 'Saturday' }, { from: 'BER', to: 'LIS' }]; // prettier-ignore
    const [no, retry] = ['the airline did not answer', { attempt: 2, retry_of: failed?.id }];
    expect(calls).toEqual([
      ['weather', weather?.id, 'call_1', 'succeeded', inCity, WEATHER, null, {}],
      ['flights', failed?.id, 'call_2', 'failed', byAir, null, no, {}],
      ['flights', retried?.id, 'call_2', 'succeeded', byAir, FLIGHTS, null, retry],
    ]);
    expect([failed?.error_type, whole.toolCalls[1]?.error_type]).toEqual(['TimeoutError', 'TimeoutError']);
    expect([failed?.error, retried?.metadata]).toEqual([no, retry]);
    const [first, second] = whole.toolCalls;
    expect(String(second?.started_at) <= String(first?.ended_at)).toBe(true); // side by side
  });

  it('Messages are kept in their order, with the calls that were asked for and answered', () => {
    expect(
      whole.messages.map(({ index, role, content, tool_call_id }) => [index, role, content, tool_call_id]),
    ).toEqual([
      [0, 'user', QUESTION, null],
      [1, 'assistant', '', null],
      [2, 'tool', JSON.stringify(WEATHER), 'call_1'],
      [3, 'tool', JSON.stringify(FLIGHTS), 'call_2'],
      [4, 'assistant', ANSWER, null],
    ]);
    const asked = (whole.messages[1]?.extra as { tool_calls: { id: string }[] }).tool_calls;
    expect(asked.map(({ id }) => id)).toEqual(['call_1', 'call_2']);
    const stepOf = (at: number): string | undefined => whole.steps[at]?.id;
    expect(whole.messages.map(({ step_id }) => step_id)).toEqual([
      null,
      stepOf(1),
      stepOf(3),
      stepOf(5),
      stepOf(7),
    ]);
  });

  it('The state at the end is kept as a checkpoint', async () => {
    expect(whole.checkpoints).toHaveLength(1);
    const { state, label } = await client.runs.checkpoints.latest(whole.run.id);
    expect([label, state]).toEqual(['end', whole.run.output]);
  });

  it('The totals are exact', () => {
    expect(whole.run.totals).toEqual({
      steps: 8,
      failed_steps: 1,
      tool_calls: 3,
      failed_tool_calls: 1,
      messages: 5,
      tokens_in: 412 + 655,
      tokens_out: 58 + 37,
      cost_usd: '0',
    });
  });

  it('The run is drawn as a tree that fits a terminal of 80 columns', () => {
    const text = drawRun(whole);
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const tree = text
      .split('\n')
      .map((line) => line.replace(/ {2,}\d+ ms/, '').replace(/ {2,}\d+ \/ \d+$/, ''));
    expect(tree.slice(3, 16).map((line) => line.trimEnd())).toEqual([
      'Steps                                                      latency tokens in/out',
      '├─ ✓ agent (chain)',
      '│  └─ ✓ chat (llm fake-small)',
      '├─ ✓ tools (chain)',
      '│  ├─ ✓ weather (tool)',
      '│  │     ✓ call_1: weather({"city":"Lisbon","day":"Saturday"})',
      '│  │       → {"city":"Lisbon","sky":"sunny","celsius":24}',
      '│  ├─ ✗ flights (tool)',
      '│  │     ✗ call_2: flights({"from":"BER","to":"LIS"})',
      '│  │       → TimeoutError: the airline did not answer',
      '│  └─ ✓ flights (tool, attempt 2)',
      '│        ✓ call_2: flights({"from":"BER","to":"LIS"})',
      '│          → [{"flight":"TP 535","from":"BER","to":"LIS","leaves":"06:25","eur"…',
    ]);
  });

  it('A graph that fails fails its run, and the node that threw', async () => {
    const error = new RangeError('no such city');
    const handler = aHandler();
    const failing = aGraph(() => Promise.reject(error));
    await expect(failing.invoke({ messages: [] }, { callbacks: [handler] })).rejects.toThrow('no such city');
    const [run] = (await client.runs.list({ status: 'failed' }).page()).data;
    const { error: told, error_type, steps } = await client.runs.get(run?.id ?? '', { include: ['steps'] });
    expect([told, error_type]).toEqual(['no such city', 'RangeError']);
    expect(steps?.data).toMatchObject([{ node: 'only', status: 'failed', error_type: 'RangeError' }]);
  });

  it('[SDK6] Invocations at the same time with one handler are runs of their own', async () => {
    const handler = aHandler();
    const graph = aGraph(({ messages }) =>
      Promise.resolve({ messages: [new AIMessage(`${messages[0]?.text}!`)] }),
    );
    const session = { configurable: { thread_id: 'together' } };
    const invoke = (text: string) => graph.invoke({ messages: [new HumanMessage(text)] }, { ...session, callbacks: [handler] }); // prettier-ignore
    await Promise.all(Array.from({ length: 20 }, (_, at) => invoke(`hello ${at}`)));
    const said: string[][] = [];
    for await (const { id } of client.runs.list({ session_id: 'together' })) {
      const { messages, steps } = await client.runs.get(id, { include: ['messages', 'steps'] });
      expect(steps?.data.map(({ node }) => node)).toEqual(['only']);
      said.push((messages?.data ?? []).map(({ content }) => content ?? ''));
    }
    expect(said.map(([text]) => text).sort()).toEqual(
      Array.from({ length: 20 }, (_, at) => `hello ${at}`).sort(),
    );
  });

  it('[SDK1] An agent whose reports go nowhere answers all the same', async () => {
    const failures: unknown[] = [];
    const nowhere = new AgentFlow({ apiKey: key, baseUrl: 'http://127.0.0.1:9', maxRetries: 0 });
    const handler = aHandler(nowhere, (error) => failures.push(error));
    const graph = aGraph(() => Promise.resolve({ messages: [new AIMessage('here')] }));
    const { messages } = await graph.invoke({ messages: [] }, { callbacks: [handler] });
    expect(messages.map(({ text }) => text)).toEqual(['here']);
    expect(failures).toEqual([expect.objectContaining({ name: 'ConnectionError' })]);
  });

  it('No cost is drawn where none is known, and what a run lacks has no heading', async () => {
    expect(drawRun(whole)).toMatch(/\n1067 tokens in, 95 tokens out$/);
    const steps = whole.steps.map((step, at) => (at === 1 ? { ...step, cost_usd: '0.002' } : step));
    const run = { ...whole.run, totals: { ...whole.run.totals, cost_usd: '0.002' } };
    expect(drawRun({ ...whole, run, steps })).toMatch(/95 tokens out, 0\.002 USD$/);
    const bare = drawRun({ ...whole, steps: [], toolCalls: [], messages: [], checkpoints: [] });
    expect(bare.split('\n').filter((line) => /^[A-Z]/.test(line))).toEqual(['Totals']);
  });

  it('Nothing that an agent wrote moves the cursor of the terminal or turns its text round', () => {
    const name = 'a\u001b[2Jb\u202ec\u009bd\ne';
    expect(drawRun({ ...whole, run: { ...whole.run, name } }).split('\n')[0]).toContain('✓ a [2Jb c d e: ');
  });

  it('npm run show draws the newest run, or the one that is named, and says plainly when it is not there', async () => {
    const env = { ...process.env, AGENTFLOW_BASE_URL: api.url, AGENTFLOW_API_KEY: key };
    const show = (...args: string[]) =>
      promisify(execFile)(process.execPath, ['scripts/show.mjs', ...args], { env });
    expect((await show(whole.run.id)).stdout).toBe(`${drawRun(whole)}\n`);
    const failing = await client.runs.start({ agent: { name: 'trip planner', adapter: 'langgraph' } });
    await failing.fail(new RangeError('no such city'));
    const { stdout } = await show();
    expect(stdout).toContain(`run ${failing.id}\n  RangeError: no such city\n\nTotals\n`);
    await expect(show('01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32')).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/ answered 404 not_found: /),
    });
    const cut = show(whole.run.id); // by one who reads nothing
    cut.child.stdout?.destroy();
    expect(await cut).toMatchObject({ stderr: '' });
  });

  it('npm run demo prints the tree of what the server has, and says plainly when none answers', async () => {
    const demo = (baseUrl: string) =>
      promisify(execFile)(process.execPath, ['scripts/demo.mjs'], {
        env: { ...process.env, AGENTFLOW_BASE_URL: baseUrl, AGENTFLOW_API_KEY: key },
      });
    const { stdout } = await demo(api.url);
    expect(stdout).toMatch(/^✓ trip to Lisbon: succeeded/);
    expect(stdout).toContain('8 steps (1 failed), 3 tool calls (1 failed), 5 messages');
    await expect(demo('http://127.0.0.1:9')).rejects.toMatchObject({
      code: 1,
      stderr: 'No AgentFlow answers at http://127.0.0.1:9. Run npm start in another terminal first.\n',
    });
  }, 60_000);

  describe('that is watched over', () => {
    let operator: string;
    beforeAll(async () => {
      const scope = { scope: 'project', project_id: whole.run.project_id };
      operator = (await aKey(api.admin, { ...scope, role: 'operator' })).key;
    });

    const operated = () => ({
      client: anSdk(api, { apiKey: operator }),
      access: { url: api.url, key: operator },
      tell: () => undefined,
    });

    it('An interrupt makes the run wait, and what a person decides lets it go on: with other arguments, with its own, or without', async () => {
      const decidedBy =
        (decision: object) =>
        ({ id }: { id: string }) =>
          api.admin.post(`/v1/approvals/${id}/decide`, decision);
      const outcomes = [];
      for (const decision of [
        { decision: 'edit', answer: { flight: 'TP 535', seat: 'aisle' } },
        { decision: 'approve' },
        { decision: 'reject', reason: 'too early' },
      ]) {
        const { run, steps, toolCalls } = await runApproved(operated(), decidedBy(decision));
        const { data } = (await api.admin.get(`/v1/approvals?run_id=${run.id}`)).body;
        outcomes.push({
          run: run.status,
          waited: (run.waited_ms as number) > 0,
          approvals: data.map(({ status }: { status: string }) => status),
          calls: toolCalls.map((call) => [call.name, call.arguments, call.status]),
          nodes: steps.filter(({ kind }) => kind === 'chain').map(({ node, status }) => [node, status]),
        });
      }
      const nodes = [
        ['agent', 'succeeded'],
        ['book', 'skipped'],
        ['book', 'succeeded'],
        ['agent', 'succeeded'],
      ];
      const booked = (seat: string) => [['book_flight', { flight: 'TP 535', seat }, 'succeeded']];
      const base = { run: 'succeeded', waited: true, nodes };
      expect(outcomes).toEqual([
        { ...base, approvals: ['edited'], calls: booked('aisle') },
        { ...base, approvals: ['approved'], calls: booked('middle') },
        { ...base, approvals: ['rejected'], calls: [] },
      ]);
    });

    it('An agent whose run is cancelled stops in the middle of a tool, and reports nothing more', async () => {
      const { run, toolCalls } = await runCancelled(operated());
      expect([run.status, run.error]).toEqual(['cancelled', 'the trip is off']);
      expect(toolCalls.map(({ status }) => status)).not.toContain('succeeded');
      const types = (await theEvents(run.id)).map(({ type }) => type);
      expect(types.at(-1)).toBe('run.cancelled');
    });

    it('npm run demo -- --approval shows both', async () => {
      const { stdout, stderr } = await promisify(execFile)(
        process.execPath,
        ['scripts/demo.mjs', '--approval'],
        { env: { ...process.env, AGENTFLOW_BASE_URL: api.url, AGENTFLOW_API_KEY: operator } },
      );
      expect(stdout).toMatch(/^✓ a flight to Lisbon: succeeded/);
      expect(stdout).toContain('a trip that is called off: cancelled');
      expect(stderr).toContain('Decided: edited. The agent goes on.');
      expect(stderr).toContain('The agent has stopped.');
    }, 60_000);

    async function theEvents(runId: string) {
      const truth = theTruth(api.database);
      const events = await truth.events(runId);
      await truth.close();
      return events;
    }
  });

  function aHandler(to = client, onError?: (error: unknown) => void): AgentFlowHandler {
    return new AgentFlowHandler({ client: to, onError, agent: { name: 'other', adapter: 'langgraph' } });
  }
});

type State = typeof MessagesAnnotation.State;

/** A graph of one node. */
function aGraph(only: (state: State) => Promise<Partial<State>>) {
  return new StateGraph(MessagesAnnotation)
    .addNode('only', only)
    .addEdge(START, 'only')
    .addEdge('only', END)
    .compile();
}
