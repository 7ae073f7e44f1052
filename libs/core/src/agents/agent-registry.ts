import { type Transaction } from '@agentflow/database';
import { DomainError, RawJson, notFound, sameJson, type AgentDefinition } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import type { Performer } from '../audit-log/act.js';
import { recordChange, recordCreation } from './agent-acts.js';
import type { AgentRow } from './agent-row.js';
import { bump } from './sql/change-agent.js';
import { findAgentByName, lockAgent } from './sql/find-agent.js';
import { insertNewAgent } from './sql/insert-agent.js';

/** An agent by name, as a reporter knows it; what is left out is left as it is. */
export interface AgentReference {
  name: string;
  adapter: string;
  config?: RawJson;
  description?: string | null;
}

const NO_CONFIG = RawJson.trusted('{}');

/** Finds the agent that a reporter names, and makes it or its next version where that is needed. */
@Injectable()
export class AgentRegistry {
  /**
   * The agent of that name: registered on first sight in `projectId`, bumped when the stated definition differs.
   * Two reporters at once come to the same agent. A name that the scope does not see is taken, and an agent's own
   * key names only that agent.
   */
  async register(
    tx: Transaction,
    by: Performer,
    reference: AgentReference,
    projectId: string | undefined,
  ): Promise<AgentRow> {
    const known = await findAgentByName(tx, reference.name);
    if (known) return this.brought(tx, by, known, reference, projectId);
    if (tx.scope.kind === 'agent') throw notFound();
    return this.introduce(tx, by, reference, projectId);
  }

  private async introduce(
    tx: Transaction,
    by: Performer,
    reference: AgentReference,
    projectId: string | undefined,
  ): Promise<AgentRow> {
    const home = projectId ?? tx.scope.projectId;
    if (home === null || home === undefined) {
      throw new DomainError('invalid_request', {
        faults: [
          { pointer: '/project_id', detail: 'is needed with an organization key and a new agent name' },
        ],
      });
    }
    const { seen, ...made } = await insertNewAgent(tx, {
      id: newId(),
      versionId: newId(),
      projectId: home,
      name: reference.name,
      adapter: reference.adapter,
      config: reference.config ?? NO_CONFIG,
      description: reference.description ?? null,
    });
    if (!seen) throw notFound();
    if (made.id !== undefined && made.id !== null) {
      await recordCreation(tx, by, made as AgentRow);
      return made as AgentRow;
    }
    // Somebody else was quicker; if that one is in sight it is the agent that was meant.
    const rival = await findAgentByName(tx, reference.name);
    if (!rival) throw new DomainError('name_taken');
    return this.brought(tx, by, rival, reference, projectId);
  }

  private async brought(
    tx: Transaction,
    by: Performer,
    agent: AgentRow,
    reference: AgentReference,
    projectId: string | undefined,
  ): Promise<AgentRow> {
    if (projectId !== undefined && projectId !== agent.project_id) throw new DomainError('name_taken');
    if (!differs(agent, reference)) return agent;
    tx.needsOwn();
    const locked = await lockAgent(tx, agent.id);
    if (!locked) throw notFound();
    if (!differs(locked, reference)) return locked;
    const definition = { ...definitionOf(locked), ...stated(reference) };
    const bumped = await bump(tx, locked.id, definition, { id: newId(), note: null });
    await recordChange(tx, by, 'agent.changed', locked, bumped);
    return bumped;
  }
}

/** What a reference says of the definition. */
function stated({ adapter, config, description }: AgentReference): Partial<AgentDefinition> {
  return {
    adapter,
    ...(config === undefined ? {} : { config }),
    ...(description === undefined ? {} : { description }),
  };
}

function differs(agent: AgentRow, { adapter, config, description }: AgentReference): boolean {
  return (
    adapter !== agent.adapter ||
    (description !== undefined && description !== agent.description) ||
    (config !== undefined && !sameJson(config, agent.config))
  );
}

/** The part of an agent that a version keeps. */
export function definitionOf({ adapter, config, description }: AgentDefinition): AgentDefinition {
  return { adapter, config, description };
}
