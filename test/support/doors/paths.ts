import type { TestApi } from '../api.js';
import {
  aBulkAction,
  aCheckpoint,
  aKey,
  aMessage,
  aModelPrice,
  aRunningRun,
  aStep,
  aToolCall,
  anAgent,
} from '../things.js';
import type { Door } from './doors.js';

/** Gives a door's path with the ids of things that are there. */
export type PathOf = (door: Pick<Door, 'path'>) => string;

/** Makes one thing of every kind, for doors to point at. */
export async function aPathOf(api: TestApi): Promise<PathOf> {
  const agent = await anAgent(api.admin);
  const run = await aRunningRun(api.admin, { agent_id: agent.id });
  const step = await aStep(api.admin, run.id);
  await aMessage(api.admin, run.id);
  await aCheckpoint(api.admin, run.id);
  const calls = {
    run: (await aToolCall(api.admin, run.id)).id as string,
    agent: (await api.admin.post(`/v1/agents/${agent.id}/tool-calls`, { name: 'search' })).body.id as string,
  };
  const wait = await api.admin.post(`/v1/runs/${run.id}/wait`, { approvals: [{ kind: 'gate' }] });
  const approval = wait.body.waiting_for.approvals[0];
  const values: Record<string, string> = {
    project_id: agent.project_id,
    agent_id: agent.id,
    run_id: run.id,
    other_run_id: run.id,
    step_id: step.id,
    key_id: (await aKey(api.admin, { scope: 'organization' })).id,
    price_id: (await aModelPrice(api.admin)).id,
    approval_id: approval.id,
    bulk_action_id: (await aBulkAction(api.admin)).id,
    version: '1',
    index: '0',
  };
  return ({ path }) =>
    path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      const value = name === 'call_id' ? calls[path.includes('/agents/') ? 'agent' : 'run'] : values[name];
      if (value === undefined)
        throw new Error(`give {${name}} of ${path} a value in test/support/doors/paths.ts`);
      return value;
    });
}
