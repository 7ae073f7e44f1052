import { Database, violatedConstraint, type Actor, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, RawJson, diffVersions, notFound, sameDefinition } from '@agentflow/domain';
import type { AgentDefinition, VersionDiff } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import type { Stored } from '../reporting/stored.js';
import { recordChange, recordCreation } from './agent-acts.js';
import { definitionOf } from './agent-registry.js';
import type { AgentRow, AgentVersionRow } from './agent-row.js';
import { findVersion, listVersions } from './sql/agent-versions.js';
import { bump, rename } from './sql/change-agent.js';
import { findAgent, listAgents, lockAgent } from './sql/find-agent.js';
import { insertNewAgent } from './sql/insert-agent.js';

export interface NewAgent {
  project_id: string;
  name: string;
  adapter: string;
  config?: RawJson;
  description?: string | null;
}

export interface AgentChange {
  name?: string;
  adapter?: string;
  config?: RawJson;
  description?: string | null;
  /** Goes on the new snapshot; without a new version it is not kept. */
  note?: string;
  /** The version that the caller has seen; another one refuses the change. */
  expectedVersion?: number;
}

/** What differs between two versions of an agent. */
export interface AgentDiff extends VersionDiff {
  from_version: number;
  to_version: number;
}

/** Agents and their versions: each change of the definition is a new, immutable snapshot. */
@Injectable()
export class AgentsService {
  constructor(private readonly database: Database) {}

  async create(actor: Actor, agent: NewAgent): Promise<Stored<AgentRow>> {
    const row = await this.database.transaction(actor, async (tx) => {
      const { seen, ...made } = await insertNewAgent(tx, {
        id: newId(),
        versionId: newId(),
        projectId: agent.project_id,
        name: agent.name,
        adapter: agent.adapter,
        config: agent.config ?? RawJson.trusted('{}'),
        description: agent.description ?? null,
      });
      if (!seen) throw notFound();
      if (!made.id) throw new DomainError('name_taken');
      await recordCreation(tx, actor, made as AgentRow);
      return made as AgentRow;
    });
    return { row, isNew: true };
  }

  async get(actor: Actor, id: string): Promise<AgentRow> {
    return found((await this.database.read(actor, (tx) => [findAgent(tx, id)]))[0]);
  }

  async list(actor: Actor, slice: Slice, projectId?: string): Promise<AgentRow[]> {
    return this.database.transaction(actor, (tx) => listAgents(tx, slice, projectId));
  }

  /** Renames, and gives the agent its next version when its definition really changes; both under one lock. */
  async change(actor: Actor, id: string, change: AgentChange): Promise<AgentRow> {
    return this.database.transaction(actor, async (tx) => {
      const agent = found(await lockAgent(tx, id));
      if (change.expectedVersion !== undefined && change.expectedVersion !== agent.version) {
        throw new DomainError('version_mismatch', { members: { current_version: agent.version } });
      }
      const renamed =
        change.name === undefined || change.name === agent.name ? agent : await named(tx, id, change.name);
      const definition = { ...definitionOf(agent), ...definitionIn(change) };
      const changed = await this.redefine(tx, renamed, definition, change.note ?? null);
      await recordChange(tx, actor, 'agent.changed', agent, changed);
      return changed;
    });
  }

  /** Writes version n+1 with the content of version k; the content that is there already changes nothing. */
  async restore(actor: Actor, id: string, version: number): Promise<AgentRow> {
    return this.database.transaction(actor, async (tx) => {
      const agent = found(await lockAgent(tx, id));
      const snapshot = found(await findVersion(tx, id, version));
      const note = `restored from v${version}`;
      const restored = await this.redefine(tx, agent, definitionOf(snapshot), note);
      await recordChange(tx, actor, 'agent.restored', agent, restored);
      return restored;
    });
  }

  async version(actor: Actor, id: string, version: number): Promise<AgentVersionRow> {
    return found((await this.database.read(actor, (tx) => [findVersion(tx, id, version)]))[0]);
  }

  async versions(actor: Actor, id: string, slice: Slice): Promise<AgentVersionRow[]> {
    return this.database.transaction(actor, async (tx) => {
      found(await findAgent(tx, id));
      return listVersions(tx, id, slice);
    });
  }

  async diff(actor: Actor, id: string, from: number, to: number): Promise<AgentDiff> {
    return this.database.transaction(actor, async (tx) => {
      const [before, after] = [found(await findVersion(tx, id, from)), found(await findVersion(tx, id, to))];
      return { from_version: from, to_version: to, ...diffVersions(before, after) };
    });
  }

  private async redefine(
    tx: Transaction,
    agent: AgentRow,
    definition: AgentDefinition,
    note: string | null,
  ): Promise<AgentRow> {
    if (sameDefinition(definitionOf(agent), definition)) return agent;
    return bump(tx, agent.id, definition, { id: newId(), note });
  }
}

async function named(tx: Transaction, id: string, name: string): Promise<AgentRow> {
  try {
    return await rename(tx, id, name);
  } catch (error) {
    if (violatedConstraint(error) === 'uq_agents_tenant_name') throw new DomainError('name_taken');
    throw error;
  }
}

function definitionIn({ adapter, config, description }: AgentChange): Partial<AgentDefinition> {
  return {
    ...(adapter === undefined ? {} : { adapter }),
    ...(config === undefined ? {} : { config }),
    ...(description === undefined ? {} : { description }),
  };
}

function found<T>(row: T | undefined): T {
  if (row === undefined) throw notFound();
  return row;
}
