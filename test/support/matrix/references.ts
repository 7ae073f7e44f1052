import { randomUUID } from 'node:crypto';
import type { Place } from './places.js';

type Body = Record<string, unknown>;

/** A reference in a body: the route, the member, what it means in a place, and the rest of a valid body. */
export interface Reference {
  readonly route: string;
  readonly member: string;
  readonly thing: (place: Place) => string;
  readonly rest: (home: Place) => Body;
  /** Whether things of one's own, but of another run, are wrong as well. */
  readonly isOfRun?: true;
}

const step = ({ run }: Place): string => run.stepIds[1] as string;
const ofRun = (route: string, member: string, rest: Body): Reference => ({
  ...{ route: `POST /v1/runs/:run_id/${route}`, member, thing: step, rest: () => rest, isOfRun: true },
});

/** Every id that a body can refer to something with. */
export const REFERENCES: readonly Reference[] = [
  {
    route: 'POST /v1/agents',
    member: 'project_id',
    thing: ({ projectId }) => projectId,
    rest: () => ({ name: randomUUID(), adapter: 'custom' }),
  },
  { route: 'POST /v1/runs', member: 'agent_id', thing: ({ agentId }) => agentId, rest: () => ({}) },
  {
    route: 'POST /v1/runs',
    member: 'parent_run_id',
    thing: ({ run }) => run.id,
    rest: ({ agentId }) => ({ agent_id: agentId }),
  },
  {
    route: 'POST /v1/runs',
    member: 'project_id',
    thing: ({ projectId }) => projectId,
    rest: ({ agentId }) => ({ agent_id: agentId }),
  },
  {
    route: 'POST /v1/runs',
    member: 'project_id',
    thing: ({ projectId }) => projectId,
    rest: () => ({ agent: { name: randomUUID(), adapter: 'custom' } }),
  },
  {
    route: 'POST /v1/runs/claim',
    member: 'agent_id',
    thing: ({ agentId }) => agentId,
    rest: () => ({ lease_seconds: 60 }),
  },
  {
    route: 'POST /v1/api-keys',
    member: 'project_id',
    thing: ({ projectId }) => projectId,
    rest: () => ({ name: 'x', role: 'viewer', scope: 'project' }),
  },
  {
    route: 'POST /v1/api-keys',
    member: 'agent_id',
    thing: ({ agentId }) => agentId,
    rest: () => ({ name: 'x', role: 'viewer', scope: 'agent' }),
  },
  ofRun('steps', 'parent_step_id', { node: 'plan' }),
  ofRun('messages', 'step_id', { role: 'user' }),
  ofRun('tool-calls', 'step_id', { name: 'search' }),
  ofRun('tool-calls/complete', 'step_id', { name: 'search' }),
  ofRun('checkpoints', 'step_id', { state: 1 }),
];
