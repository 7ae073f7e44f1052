import {
  Database,
  databaseFault,
  organizationScope,
  scopeColumns,
  sql,
  type Actor,
  type Statement,
  type Transaction,
} from '@agentflow/database';
import { notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { recordDeletion } from './agent-acts.js';
import { REACHED_AGENT } from './sql/agent-columns.js';

/** Runs of a batch: few enough for a transaction of well under its time limit. */
const BATCH = 100;
const BATCH_LIMITS = { statementTimeoutMs: 60_000 };
const MAX_PASSES = 5;

/** An agent whose deletion begins, or has begun before. */
interface HiddenAgent {
  id: string;
  project_id: string;
  name: string;
  is_new: boolean;
}

/** Hides the agents that are held between these two; whether they were visible until now is asked of their held rows. */
const HIDE = `UPDATE agents SET deleting_since = coalesce(deleting_since, now())
   FROM (SELECT id AS held, deleting_since IS NULL AS is_new FROM agents WHERE ${REACHED_AGENT}`;
const HELD = `FOR NO KEY UPDATE) AS agent
   WHERE tenant_id = $1 AND id = held RETURNING id, project_id, name, is_new`;

const hideAgent = sql<HiddenAgent>('hide-agent', `${HIDE} AND id = $4 ${HELD}`);
const hideAgentsOf = sql<HiddenAgent>('hide-agents-of-project', `${HIDE} AND project_id = $4 ${HELD}`);
const deleteRunsOf = sql<{ id: string }>(
  'delete-runs-of-agent',
  `WITH gone AS (
     DELETE FROM runs WHERE tenant_id = $1
       AND id IN (SELECT id FROM runs WHERE tenant_id = $1 AND agent_id = $2 ORDER BY id LIMIT ${BATCH})
     RETURNING tenant_id, id, project_id, agent_id
   ), tombstone AS (
     INSERT INTO deleted_runs (tenant_id, run_id, project_id, agent_id)
     SELECT tenant_id, id, project_id, agent_id FROM gone
     ON CONFLICT (tenant_id, run_id, project_id, agent_id) DO UPDATE SET deleted_at = now()
   )
   SELECT id FROM gone`,
);
const deleteLooseCallsOf = sql<never>(
  'delete-tool-calls-of-agent',
  `DELETE FROM tool_calls WHERE tenant_id = $1 AND id IN
     (SELECT id FROM tool_calls WHERE tenant_id = $1 AND agent_id = $2 AND run_id IS NULL LIMIT ${BATCH * 10})`,
);
const deleteAgent = sql<never>('delete-agent', `DELETE FROM agents WHERE tenant_id = $1 AND id = $2`);

/**
 * Deletes an agent with all that is below it. It is invisible, its name is free and its keys are dead from the
 * first moment; its runs then go in batches. An interruption loses nothing: the call repeated, or else the worker, goes
 * on where it stopped.
 */
@Injectable()
export class AgentDeletion {
  constructor(private readonly database: Database) {}

  async remove(actor: Actor, id: string): Promise<void> {
    const [hidden] = await this.hide(actor, hideAgent, id);
    if (!hidden) throw notFound();
    await this.finish(actor.scope.tenantId, id);
  }

  /** Deletes every agent of a project, those whose deletion was interrupted included. */
  async removeAllOf(actor: Actor, projectId: string): Promise<void> {
    for (const { id } of await this.hide(actor, hideAgentsOf, projectId))
      await this.finish(actor.scope.tenantId, id);
  }

  private hide(actor: Actor, statement: Statement<HiddenAgent>, id: string): Promise<HiddenAgent[]> {
    return this.database.transaction(actor, async (tx) => {
      const hidden = await tx.rows(statement, [...scopeColumns(tx.scope), id]);
      for (const agent of hidden) if (agent.is_new) await recordDeletion(tx, actor, agent);
      return hidden;
    });
  }

  /** Goes on with a deletion that has begun, to its end. The agent has to be hidden already. */
  async finish(tenantId: string, id: string): Promise<void> {
    const values = [tenantId, id];
    const actor = { scope: organizationScope(tenantId) };
    const batch = (work: (tx: Transaction) => Promise<number>): Promise<number> =>
      this.database.transaction(actor, work, BATCH_LIMITS);
    for (let passes = MAX_PASSES; ; passes--) {
      while ((await batch(async (tx) => (await tx.rows(deleteRunsOf, values)).length)) > 0);
      while ((await batch((tx) => tx.run(deleteLooseCallsOf, values))) > 0);
      try {
        await batch((tx) => tx.run(deleteAgent, values));
        return;
      } catch (error) {
        // A run or call that was on its way as the deletion began has come in meanwhile: it goes with the next pass.
        if (databaseFault(error) !== 'foreign_key_violation' || passes === 1) throw error;
      }
    }
  }
}
