import { randomUUID } from 'node:crypto';
import type { TestApi } from '../api.js';
import type { Answer } from '../client.js';
import { aCheckpoint, aProject, aRunningRun, aStep, aToolCall, aWaitingRun, anAgent } from '../things.js';

/** Where a payload has to be found again: which answers, and under which name. */
export interface Arrival {
  readonly answers: readonly Answer[];
  readonly name: string;
}

/** Sends a payload in, given as text, and asks for it in every way there is. */
export interface Journey {
  /** `json` keeps the text; `jsonb` keeps the value, and takes objects only. */
  readonly column: 'json' | 'jsonb';
  readonly run: (api: TestApi, raw: string) => Promise<Arrival>;
}

const json = (run: Journey['run']): Journey => ({ column: 'json', run });
const jsonb = (run: Journey['run']): Journey => ({ column: 'jsonb', run });

/** A request that writes, and the reads after it; `id` is that of what was written. */
const journey =
  (
    name: string,
    write: (api: TestApi, raw: string) => Promise<{ answer: Answer; paths: (id: string) => string[] }>,
  ): Journey['run'] =>
  async (api, raw) => {
    const { answer, paths } = await write(api, raw);
    if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text.slice(0, 500)}`);
    const reads: Answer[] = [];
    for (const path of paths(answer.body.id as string)) reads.push(await api.admin.get(path));
    return { answers: [answer, ...reads], name };
  };

const runPaths = (id: string): string[] => [`/v1/runs/${id}`, `/v1/runs/${id}?include=steps,messages`];

const newRun = (field: string): Journey['run'] =>
  journey(field, async (api, raw) => ({
    answer: await api.admin.post('/v1/runs', `{"agent_id":"${await anAgentId(api)}","${field}":${raw}}`),
    paths: runPaths,
  }));

const move = (command: string, field: string, name: string, make = aRunningRun): Journey['run'] =>
  journey(name, async (api, raw) => {
    const run = await make(api.admin, { agent_id: await anAgentId(api) });
    return {
      answer: await api.admin.post(`/v1/runs/${run.id}/${command}`, `{"${field}":${raw}}`),
      paths: runPaths,
    };
  });

/** A child of a run, created with the payload. */
const newChild = (
  children: string,
  rest: string,
  field: string,
  reads: (run: string, id: string) => string[],
) =>
  journey(field, async (api, raw) => {
    const run = await aRunId(api);
    return {
      answer: await api.admin.post(`/v1/runs/${run}/${children}`, `{${rest}"${field}":${raw}}`),
      paths: (id) => reads(run, id),
    };
  });

const listed = (children: string) => (run: string, id: string) => [
  `/v1/runs/${run}/${children}/${id}`,
  `/v1/runs/${run}/${children}?order=desc&limit=1`,
];
const stepReads = listed('steps');
const callReads = listed('tool-calls');

/** A child of a run, changed by the payload. */
const changedChild = (children: string, make: typeof aStep, field: string): Journey['run'] =>
  journey(field, async (api, raw) => {
    const run = await aRunId(api);
    const { id } = await make(api.admin, run);
    const path = `/v1/runs/${run}/${children}/${id}`;
    return {
      answer: await api.admin.patch(path, `{"${field}":${raw}}`),
      paths: () => listed(children)(run, id),
    };
  });

const oldestCall = (field: string): Journey['run'] =>
  journey(field, async (api, raw) => {
    const run = await aRunId(api);
    const { name } = await aToolCall(api.admin, run, { name: randomUUID() });
    const path = `/v1/runs/${run}/tool-calls/complete`;
    return {
      answer: await api.admin.post(path, `{"name":"${name}","${field}":${raw}}`),
      paths: (id) => callReads(run, id),
    };
  });

const agentCall = (field: string, isChange = false): Journey['run'] =>
  journey(field, async (api, raw) => {
    const calls = `/v1/agents/${await anAgentId(api)}/tool-calls`;
    const paths = (id: string): string[] => [`${calls}/${id}`, `${calls}?limit=1`];
    if (!isChange) return { answer: await api.admin.post(calls, `{"name":"t","${field}":${raw}}`), paths };
    const { id } = (await api.admin.post(calls, { name: 't' })).body;
    return { answer: await api.admin.patch(`${calls}/${id}`, `{"${field}":${raw}}`), paths };
  });

const agentReads = (id: string, version: number): string[] => [
  `/v1/agents/${id}`,
  `/v1/agents?limit=1`,
  `/v1/agents/${id}/versions/${version}`,
  `/v1/agents/${id}/versions?limit=1`,
];

/** Every payload of every door, by operation id and pointer. */
export const JOURNEYS: Readonly<Record<string, Journey>> = {
  'runs_create /input': json(newRun('input')),
  'runs_create /metadata': jsonb(newRun('metadata')),
  'runs_create /agent/config': jsonb(
    journey('config', async (api, raw) => {
      const { id: project } = await aProject(api.admin);
      const agent = `{"name":"${randomUUID()}","adapter":"x","config":${raw}}`;
      const run = await api.admin.post('/v1/runs', `{"project_id":"${project}","agent":${agent}}`);
      if (run.status !== 201) throw new Error(`${run.status}: ${run.text.slice(0, 500)}`);
      const id = run.body.agent_id as string;
      return { answer: await api.admin.get(`/v1/agents/${id}`), paths: () => agentReads(id, 1) };
    }),
  ),
  'agents_create /config': jsonb(
    journey('config', async (api, raw) => {
      const { id: project } = await aProject(api.admin);
      const body = `{"project_id":"${project}","name":"${randomUUID()}","adapter":"x","config":${raw}}`;
      return { answer: await api.admin.post('/v1/agents', body), paths: (id) => agentReads(id, 1) };
    }),
  ),
  'agents_change /config': jsonb(
    journey('config', async (api, raw) => {
      const agent = await anAgent(api.admin, { config: { before: randomUUID() } });
      const answer = await api.admin.patch(`/v1/agents/${agent.id}`, `{"config":${raw}}`);
      return { answer, paths: (id) => agentReads(id, 2) };
    }),
  ),
  'approvals_decide /answer': json(
    journey('answer', async (api, raw) => {
      const run = await aWaitingRun(api.admin);
      const asked = await api.admin.get(`/v1/approvals?run_id=${run.id}`);
      const path = `/v1/approvals/${asked.body.data[0].id}`;
      const answer = await api.admin.post(`${path}/decide`, `{"decision":"respond","answer":${raw}}`);
      return { answer, paths: () => [path] };
    }),
  ),
  'runCopies_retry /input': json(move('retry', 'input', 'input')),
  'runCopies_fork /input': json(
    move('checkpoints/0/fork', 'input', 'input', async (client, members) => {
      const run = await aRunningRun(client, members);
      await aCheckpoint(client, run.id);
      return run;
    }),
  ),
  'runMoves_wait /payload': json(move('wait', 'payload', 'payload')),
  'runMoves_resume /input': json(move('resume', 'input', 'resume_input', aWaitingRun)),
  'runMoves_succeed /output': json(move('succeed', 'output', 'output')),
  'steps_add /input': json(newChild('steps', '"node":"n",', 'input', stepReads)),
  'steps_add /output': json(newChild('steps', '"node":"n",', 'output', stepReads)),
  'steps_add /metadata': jsonb(newChild('steps', '"node":"n",', 'metadata', stepReads)),
  'steps_add /token_details': jsonb(newChild('steps', '"node":"n",', 'token_details', stepReads)),
  'steps_change /output': json(changedChild('steps', aStep, 'output')),
  'steps_change /metadata': jsonb(changedChild('steps', aStep, 'metadata')),
  'steps_change /token_details': jsonb(changedChild('steps', aStep, 'token_details')),
  'messages_add /extra': json(
    newChild('messages', '"role":"user",', 'extra', (run) => [`/v1/runs/${run}/messages?order=desc&limit=1`]),
  ),
  'toolCalls_add /arguments': json(newChild('tool-calls', '"name":"t",', 'arguments', callReads)),
  'toolCalls_add /result': json(newChild('tool-calls', '"name":"t",', 'result', callReads)),
  'toolCalls_add /metadata': jsonb(newChild('tool-calls', '"name":"t",', 'metadata', callReads)),
  'toolCalls_complete /result': json(changedChild('tool-calls', aToolCall, 'result')),
  'toolCalls_complete /metadata': jsonb(changedChild('tool-calls', aToolCall, 'metadata')),
  'toolCalls_completeOldest /result': json(oldestCall('result')),
  'toolCalls_completeOldest /metadata': jsonb(oldestCall('metadata')),
  'agentToolCalls_add /arguments': json(agentCall('arguments')),
  'agentToolCalls_add /result': json(agentCall('result')),
  'agentToolCalls_add /metadata': jsonb(agentCall('metadata')),
  'agentToolCalls_complete /result': json(agentCall('result', true)),
  'agentToolCalls_complete /metadata': jsonb(agentCall('metadata', true)),
  'checkpoints_add /state': json(
    newChild('checkpoints', '"label":"here",', 'state', (run) => [`/v1/runs/${run}/checkpoints/latest`]),
  ),
};

const KNOWN = new WeakMap<TestApi, Promise<{ agent: string; run: string }>>();

function known(api: TestApi): Promise<{ agent: string; run: string }> {
  const made =
    KNOWN.get(api) ??
    (async () => {
      const agent = (await anAgent(api.admin)).id as string;
      return { agent, run: (await aRunningRun(api.admin, { agent_id: agent })).id as string };
    })();
  KNOWN.set(api, made);
  return made;
}

const anAgentId = async (api: TestApi): Promise<string> => (await known(api)).agent;
const aRunId = async (api: TestApi): Promise<string> => (await known(api)).run;
