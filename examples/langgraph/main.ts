import { AgentFlow, newId } from '@agentflow/sdk';
import { HumanMessage } from '@langchain/core/messages';
import { AgentFlowHandler } from './agentflow-handler.js';
import { readRun, type WholeRun } from './read-run.js';
import { tripGraph, type Work } from './trip-graph.js';
import { setTimeout as delay } from 'node:timers/promises';

const QUESTION = 'Is Saturday a good day for a trip from Berlin to Lisbon?';

export interface DemoOptions {
  client: AgentFlow;
  /** Where the demo's agent is registered, when the key does not say. */
  projectId?: string;
  /** What a tool does before it answers. */
  work?: Work;
}

/** Lets the agent answer one question, and reads back what was reported meanwhile. */
export async function runDemo({ client, projectId, work = aWhile }: DemoOptions): Promise<WholeRun> {
  const runId = newId();
  const failures: unknown[] = [];
  const handler = new AgentFlowHandler({
    client,
    projectId,
    onError: (error) => failures.push(error),
    agent: {
      name: 'trip planner',
      adapter: 'langgraph',
      config: { model: 'fake-small', tools: ['weather', 'flights'] },
    },
  });
  await tripGraph(work).invoke(
    { messages: [new HumanMessage(QUESTION)] },
    { runId, runName: 'trip to Lisbon', callbacks: [handler] },
  );
  if (failures.length > 0) throw failures[0];
  return readRun(client, runId);
}

const aWhile: Work = (tool) => delay(tool === 'flights' ? 120 : 60);
