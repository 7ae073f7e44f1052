import type { AuditAction, RunCommand, RunStatus } from '@agentflow/contracts';
import type { Transaction } from '@agentflow/database';
import type { Performer } from '../audit-log/act.js';
import { recordAct } from '../audit-log/sql/record-acts.js';

type RunAction = AuditAction & `run.${string}`;

/** That an act is told of, as this, and done by him. */
export interface Told {
  by: Performer;
  action: RunAction;
}

/**
 * Commands of people about a run, which the audit log tells of; what its agent says of it stands in its own log. What else is
 * decided about runs gets an action in `@agentflow/contracts`, and is told where it is done, as retries and forks are.
 */
const DECISIONS: Readonly<Partial<Record<RunCommand, RunAction>>> = {
  resume: 'run.resumed',
  cancel: 'run.cancelled',
};

/** How it is told of that somebody gives this command; undefined for what agents say. */
export function toldOf(command: RunCommand, by: Performer): Told | undefined {
  const action = DECISIONS[command];
  return action && { by, action };
}

/** A run as it is before an act. */
interface RunBefore {
  id: string;
  project_id: string;
  agent_id: string;
  status: RunStatus;
}

/** Writes down what was done about a run: where it stands now, and nothing of what it holds. */
export function recordRunAct(
  tx: Transaction,
  { by, action }: Told,
  run: RunBefore,
  after?: { status: RunStatus; error_type?: string },
): Promise<void> {
  const { id, project_id, agent_id, status } = run;
  const act = { action, entityId: id, projectId: project_id, agentId: agent_id, before: { status } };
  return recordAct(tx, by, after === undefined ? act : { ...act, after });
}
