import type { RunCommand } from '@agentflow/contracts';
import { randomUUID } from 'node:crypto';
import type { Answer, Client } from '../client.js';
import { aRun } from '../things.js';
import type { Action, Kind, Seen, Variant } from './run-model.js';

/** A run of the real api, and the ids of its children to be. */
export interface RealRun {
  readonly id: string;
  readonly leaseToken: string;
  readonly childId: (kind: Kind, slot: number) => string;
}

export const LEASE_SECONDS = 600;

export async function aRealRun(client: Client, agentId: string): Promise<RealRun> {
  const run = await aRun(client, { agent_id: agentId, lease_seconds: LEASE_SECONDS });
  const ids = new Map<string, string>();
  return {
    id: run.id,
    leaseToken: run.lease_token,
    childId: (kind, slot) => {
      const name = `${kind} ${slot}`;
      const id = ids.get(name) ?? randomUUID();
      ids.set(name, id);
      return id;
    },
  };
}

const DOORS: Record<Kind, string> = {
  step: 'steps',
  message: 'messages',
  tool_call: 'tool-calls',
  checkpoint: 'checkpoints',
};

/** The content of each command, in two variants. */
const MOVE_CONTENT: Record<RunCommand, (variant: Variant) => object> = {
  start: (variant) => ({ lease_seconds: LEASE_SECONDS + variant }),
  wait: (variant) => ({ question: `question ${variant}`, payload: [variant] }),
  resume: (variant) => ({ input: { answer: variant } }),
  succeed: (variant) => ({ output: { n: variant } }),
  fail: (variant) => ({ error: `error ${variant}`, error_type: 'Sad' }),
  cancel: (variant) => ({ reason: `reason ${variant}` }),
};
const CHILD_CONTENT: Record<Kind, (variant: Variant) => object> = {
  step: (variant) => ({ node: `node ${variant}` }),
  message: (variant) => ({ role: 'user', content: `content ${variant}` }),
  tool_call: (variant) => ({ name: `tool ${variant}` }),
  checkpoint: (variant) => ({ state: { at: variant } }),
};

/** Does it, and answers what can be seen of the answer. */
export async function perform(client: Client, run: RealRun, action: Action): Promise<Seen> {
  const path = `/v1/runs/${run.id}`;
  switch (action.do) {
    case 'move':
      return seen(
        await client.post(`${path}/${action.command}`, MOVE_CONTENT[action.command](action.variant)),
        'now',
      );
    case 'add': {
      const { kind, slot, variant } = action;
      const body = { id: run.childId(kind, slot), ...CHILD_CONTENT[kind](variant) };
      return seen(
        await client.post(`${path}/${DOORS[kind]}`, body),
        kind === 'tool_call' ? undefined : 'index',
      );
    }
    case 'complete': {
      const { kind, slot, variant } = action;
      const body = variant === 0 ? { status: 'succeeded' } : { status: 'failed', error: 'no' };
      return seen(await client.patch(`${path}/${DOORS[kind]}/${run.childId(kind, slot)}`, body), 'now');
    }
    case 'heartbeat': {
      const lease_token = action.isHolder ? run.leaseToken : randomUUID();
      return seen(await client.post(`${path}/heartbeat`, { lease_token }), 'now');
    }
    case 'delete':
      return seen(await client.delete(`${path}?force=${String(action.force)}`));
    case 'show':
      return seen(await client.get(path), 'now', 'totals');
  }
}

function seen({ status, body }: Answer, ...shows: ('now' | 'index' | 'totals' | undefined)[]): Seen {
  if (status >= 400) {
    const { code, current_state } = body;
    return { status, code, ...(current_state === undefined ? {} : { current: current_state }) };
  }
  return {
    status,
    ...(shows.includes('now') ? { now: body.status } : {}),
    ...(shows.includes('index') ? { index: body.index } : {}),
    ...(shows.includes('totals') ? { totals: countsIn(body.totals) } : {}),
  };
}

function countsIn({ steps, failed_steps, tool_calls, failed_tool_calls, messages }: Record<string, number>) {
  return { steps, failed_steps, tool_calls, failed_tool_calls, messages } as Record<string, number>;
}
