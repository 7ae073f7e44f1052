import { AgentFlow, newId } from '@agentflow/sdk';
import { HumanMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { setTimeout as delay } from 'node:timers/promises';
import { AgentFlowHandler } from './agentflow-handler.js';
import { bookingGraph, type Permission } from './booking-graph.js';
import { ask, decisions, heard, type Access, type Asked } from './control.js';
import { readRun, type WholeRun } from './read-run.js';
import { tripGraph } from './trip-graph.js';

const AGENT = { name: 'trip planner', adapter: 'langgraph' };
const QUESTION = 'Book me TP 535 to Lisbon on Saturday.';
/** Longer than anybody would watch the demo. */
const ENDLESS_MS = 3_600_000;

export interface Operated {
  client: AgentFlow;
  access: Access;
  projectId?: string;
  tell: (line: string) => void;
}

/**
 * Lets the agent ask before it books. It stops at the interrupt, and its run waits; when `person` has decided, it goes on
 * with the arguments that were decided, in the same run.
 */
export async function runApproved(
  { client, access, projectId, tell }: Operated,
  person: (approval: Asked) => Promise<unknown>,
): Promise<WholeRun> {
  const runId = newId();
  const failures: unknown[] = [];
  const handler = aHandler(client, projectId, failures);
  const graph = bookingGraph();
  const config = {
    ...{ runName: 'a flight to Lisbon', callbacks: [handler] },
    configurable: { thread_id: newId() },
  };
  await graph.invoke({ messages: [new HumanMessage(QUESTION)] }, { ...config, runId });
  if (failures.length > 0) throw failures[0];
  for (;;) {
    const { status } = await client.runs.get(runId);
    if (status !== 'waiting_human') break;
    tell(`The run ${runId} waits for a person.`);
    const [made] = await Promise.all([
      decisions(access, runId),
      inboxOf(access, runId).then((inbox) => Promise.all(inbox.map(person))),
    ]);
    tell(`Decided: ${made.map((one) => one.status).join(', ')}. The agent goes on.`);
    await graph.invoke(new Command({ resume: permissionBy(made[0]) }), { ...config, runId: newId() });
    if (failures.length > 0) throw failures[0];
  }
  return readRun(client, runId);
}

/** Lets the agent work, and calls it off meanwhile: it hears of that by the events of its run, and stops. */
export async function runCancelled({ client, access, projectId, tell }: Operated): Promise<WholeRun> {
  const runId = newId();
  const failures: unknown[] = [];
  const handler = aHandler(client, projectId, failures);
  const stop = new AbortController();
  let atWork = (): void => undefined;
  const working = new Promise<void>((resolve) => (atWork = resolve));
  const graph = tripGraph(async () => {
    // By now its run is there to be followed and to be called off.
    await handler.sent(runId);
    atWork();
    await delay(ENDLESS_MS, undefined, { signal: stop.signal });
  });
  const invocation = graph.invoke(
    { messages: [new HumanMessage(QUESTION)] },
    { runId, runName: 'a trip that is called off', callbacks: [handler], signal: stop.signal },
  );
  const ended = invocation.then(
    () => 'finished',
    () => 'stopped',
  );
  await Promise.race([working, ended]);
  const calledOff = heard(access, runId, 'run.cancelled', stop.signal);
  tell(`The run ${runId} is at work, and is called off.`);
  await ask(access, 'POST', `runs/${runId}/cancel`, { reason: 'the trip is off' });
  if (!(await calledOff)) throw new Error('the agent did not hear that it was called off');
  handler.abandon(runId);
  stop.abort();
  const how = await ended;
  if (how !== 'stopped') throw new Error(`the agent ${how} all the same`);
  if (failures.length > 0) throw failures[0];
  tell('The agent has stopped.');
  return readRun(client, runId);
}

function aHandler(client: AgentFlow, projectId: string | undefined, failures: unknown[]): AgentFlowHandler {
  return new AgentFlowHandler({ client, projectId, agent: AGENT, onError: (error) => failures.push(error) });
}

async function inboxOf(access: Access, runId: string): Promise<Asked[]> {
  const path = `approvals?status=pending&run_id=${runId}`;
  const { data } = await ask<{ data: { id: string }[] }>(access, 'GET', path);
  return Promise.all(data.map(({ id }) => ask<Asked>(access, 'GET', `approvals/${id}`)));
}

/** An edit brings other arguments; an approval leaves those that the agent chose. */
function permissionBy(asked: Asked | undefined): Permission {
  if (asked?.status === 'edited') return { arguments: asked.answer as Permission['arguments'] };
  return asked?.status === 'approved' ? { arguments: asked.payload.arguments } : {};
}
