import { aRun, aRunningRun, aStep, aToolCall, aWaitingRun, anApproval } from '../things.js';
import type { Caller } from './callers.js';
import type { Place } from './places.js';
import { anAgentToEnd, type Fresh, type Sample, type Samples } from './sample.js';

const aPending = async ({ admin, agentId }: Place): Promise<Fresh> => ({
  params: { run_id: (await aRun(admin, { agent_id: agentId })).id as string },
});
const aRunning = async ({ admin, agentId }: Place): Promise<Fresh> => ({
  params: { run_id: (await aRunningRun(admin, { agent_id: agentId })).id as string },
});
const aWaiting = async ({ admin, agentId }: Place): Promise<Fresh> => ({
  params: { run_id: (await aWaitingRun(admin, { agent_id: agentId })).id as string },
});
const aLeased = async ({ admin, agentId }: Place): Promise<Fresh> => {
  const run = await aRunningRun(admin, { agent_id: agentId, lease_seconds: 600 });
  return { params: { run_id: run.id as string }, body: { lease_token: run.lease_token as string } };
};

/** A move of a run, or another write that a deleted run refuses with 410. */
const report = (sample: Omit<Sample, 'needs' | 'isLateWrite'>): Sample => ({
  needs: 'runs:report',
  isLateWrite: true,
  ...sample,
});
const control = (fresh: Sample['fresh']): Sample => ({
  ...report({ status: 200, fresh }),
  needs: 'runs:control',
});
const read = (query?: string): Sample => ({ needs: 'runs:read', status: 200, query });

/** A pending run of an agent that nothing else has to do with, which takes it from nobody. */
const anOffer = async (_at: Place, caller: Caller): Promise<Fresh> => {
  const { params, key } = await anAgentToEnd(caller.home, caller);
  const agent_id = params?.agent_id;
  await aRun(caller.home.admin, { agent_id });
  return { key, body: { agent_id, lease_seconds: 600 } };
};
const copy: Sample = {
  needs: 'runs:control',
  status: 201,
  isLateWrite: true,
  body: () => ({ reason: 'again' }),
};

function asksForWebSocket(): Record<string, string> {
  const key = Buffer.from('0123456789abcdef').toString('base64');
  const handshake = { 'sec-websocket-key': key, 'sec-websocket-version': '13' };
  return { connection: 'Upgrade', upgrade: 'websocket', ...handshake };
}

/** Runs and what belongs to them. */
export const RUN_SAMPLES: Samples = {
  'POST /v1/runs': { needs: 'runs:report', status: 201, body: (home) => ({ agent_id: home.agentId }) },
  'GET /v1/runs': read(),
  'GET /v1/runs/:run_id': read('?include=steps,messages,tool_calls,checkpoints'),
  'GET /v1/runs/:run_id/events': read(),
  'GET /v1/runs/:run_id/compare/:other_run_id': read(),
  'GET /ws/execution/:run_id': { needs: 'runs:read', status: 101, headers: asksForWebSocket() },
  'GET /v1/events': read(),
  'POST /v1/runs/:run_id/live': report({
    status: 204,
    fresh: aRunning,
    body: () => ({ items: [{ type: 'log', text: 'Hello' }] }),
  }),
  'DELETE /v1/runs/:run_id': { needs: 'runs:delete', status: 204, query: '?force=true', fresh: aRunning },
  'POST /v1/runs/:run_id/start': report({ status: 200, fresh: aPending }),
  'POST /v1/runs/:run_id/wait': report({
    status: 200,
    fresh: aRunning,
    body: () => ({ question: 'May I?' }),
  }),
  'POST /v1/runs/:run_id/resume': control(aWaiting),
  'POST /v1/runs/:run_id/succeed': report({ status: 200, fresh: aRunning, body: () => ({ output: 1 }) }),
  'POST /v1/runs/:run_id/fail': report({ status: 200, fresh: aRunning, body: () => ({ error: 'no' }) }),
  'POST /v1/runs/:run_id/cancel': control(aRunning),
  'POST /v1/runs/:run_id/heartbeat': report({
    status: 200,
    fresh: aLeased,
    body: () => ({ lease_token: '0193aaaa-0000-7000-8000-000000000001' }),
  }),

  'POST /v1/runs/claim': {
    needs: 'runs:report',
    status: 200,
    body: ({ agentId }) => ({ agent_id: agentId, lease_seconds: 600 }),
    fresh: anOffer,
  },
  'POST /v1/runs/:run_id/retry': copy,
  'POST /v1/runs/:run_id/checkpoints/:index/fork': copy,
  'GET /v1/runs/:run_id/lineage': read(),

  'POST /v1/runs/:run_id/steps': report({ status: 201, body: () => ({ node: 'plan' }) }),
  'GET /v1/runs/:run_id/steps': read(),
  'GET /v1/runs/:run_id/steps/:step_id': read(),
  'PATCH /v1/runs/:run_id/steps/:step_id': report({
    status: 200,
    body: () => ({ status: 'succeeded' }),
    fresh: async ({ admin, run }) => ({ params: { step_id: (await aStep(admin, run.id)).id as string } }),
  }),

  'POST /v1/runs/:run_id/messages': report({ status: 201, body: () => ({ role: 'user', content: 'Hello' }) }),
  'GET /v1/runs/:run_id/messages': read(),

  'POST /v1/runs/:run_id/tool-calls': report({ status: 201, body: () => ({ name: 'search' }) }),
  'GET /v1/runs/:run_id/tool-calls': read(),
  'GET /v1/runs/:run_id/tool-calls/:call_id': read(),
  'PATCH /v1/runs/:run_id/tool-calls/:call_id': report({
    status: 200,
    body: () => ({ result: 1 }),
    fresh: async ({ admin, run }) => ({ params: { call_id: (await aToolCall(admin, run.id)).id as string } }),
  }),
  'POST /v1/runs/:run_id/tool-calls/complete': report({
    status: 200,
    body: () => ({ name: 'search', result: 1 }),
    fresh: async ({ admin, run }) => {
      await aToolCall(admin, run.id);
      return {};
    },
  }),

  'POST /v1/runs/:run_id/checkpoints': report({ status: 201, body: () => ({ state: { at: 1 } }) }),
  'GET /v1/runs/:run_id/checkpoints': read(),
  'GET /v1/runs/:run_id/checkpoints/latest': read(),
  'GET /v1/runs/:run_id/checkpoints/:index': read(),

  'POST /v1/bulk-actions': {
    needs: 'runs:control',
    status: 202,
    body: () => ({ action: 'cancel', filter: { tag: 'nothing carries it' } }),
  },
  'GET /v1/bulk-actions': read(),
  'GET /v1/bulk-actions/:bulk_action_id': read(),
  'POST /v1/bulk-actions/:bulk_action_id/cancel': { needs: 'runs:control', status: 200, body: () => ({}) },

  'GET /v1/approvals': read(),
  'GET /v1/approvals/:approval_id': read(),
  'POST /v1/approvals/:approval_id/decide': {
    needs: 'runs:control',
    status: 200,
    body: () => ({ decision: 'approve' }),
    fresh: async ({ admin, agentId }) => {
      const { id } = await anApproval(admin, {}, { agent_id: agentId });
      return { params: { approval_id: id as string } };
    },
  },
  'GET /v1/runs/:run_id/approvals/:approval_id': read('?wait=1'),

  'POST /v1/agents/:agent_id/tool-calls': {
    needs: 'runs:report',
    status: 201,
    body: () => ({ name: 'search' }),
  },
  'GET /v1/agents/:agent_id/tool-calls': read(),
  'GET /v1/agents/:agent_id/tool-calls/:call_id': read(),
  'PATCH /v1/agents/:agent_id/tool-calls/:call_id': {
    needs: 'runs:report',
    status: 200,
    body: () => ({ result: 1 }),
    fresh: async ({ admin, agentId }) => {
      const call = await admin.post(`/v1/agents/${agentId}/tool-calls`, { name: 'search' });
      return { params: { call_id: call.body.id as string } };
    },
  },
};
