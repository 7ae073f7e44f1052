import { Database, violatedConstraint, type Actor, type Slice } from '@agentflow/database';
import { AgentDeletion, difference, recordAct, type Stored } from '@agentflow/core';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import type { ProjectRow } from './project-row.js';
import { ProjectsRepository, type ProjectChange } from './projects.repository.js';

@Injectable()
export class ProjectsService {
  constructor(
    private readonly database: Database,
    private readonly projects: ProjectsRepository,
    private readonly deletion: AgentDeletion,
  ) {}

  async create(
    actor: Actor,
    draft: { name: string; description?: string | null },
  ): Promise<Stored<ProjectRow>> {
    const row = await this.named(() =>
      this.database.transaction(actor, async (tx) => {
        const { name, description = null } = draft;
        const project = await this.projects.insert(tx, newId(), { name, description });
        const { id } = project;
        const after = { name, description };
        await recordAct(tx, actor, { action: 'project.created', entityId: id, projectId: id, after });
        return project;
      }),
    );
    return { row, isNew: true };
  }

  async get(actor: Actor, id: string): Promise<ProjectRow> {
    return seen(await this.database.transaction(actor, (tx) => this.projects.find(tx, id)));
  }

  async list(actor: Actor, slice: Slice): Promise<ProjectRow[]> {
    return this.database.transaction(actor, (tx) => this.projects.list(tx, slice));
  }

  async change(actor: Actor, id: string, change: ProjectChange): Promise<ProjectRow> {
    return this.named(() =>
      this.database.transaction(actor, async (tx) => {
        const before = seen(await this.projects.hold(tx, id));
        const after = seen(await this.projects.change(tx, id, change));
        const changed = difference(['name', 'description'], before, after);
        if (changed) {
          await recordAct(tx, actor, { action: 'project.changed', entityId: id, projectId: id, ...changed });
        }
        return after;
      }),
    );
  }

  /**
   * Deletes a project and its keys. One that has agents is refused, unless the deletion may cascade; then its
   * agents go first, each with all that is below it, and a call that was interrupted is simply repeated.
   */
  async remove(actor: Actor, id: string, cascade: boolean): Promise<void> {
    await this.get(actor, id);
    if (cascade) await this.deletion.removeAllOf(actor, id);
    try {
      await this.database.transaction(actor, async (tx) => {
        const { name, description } = seen(await this.projects.hold(tx, id));
        const before = { name, description };
        // Before the deletion, which may take the actor's own key along.
        await recordAct(tx, actor, { action: 'project.deleted', entityId: id, projectId: id, before });
        await this.projects.remove(tx, id);
      });
    } catch (error) {
      if (violatedConstraint(error) === 'fk_agents_project') throw new DomainError('project.not_empty');
      throw error;
    }
  }

  private async named<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (violatedConstraint(error) === 'uq_projects_tenant_name') throw new DomainError('name_taken');
      throw error;
    }
  }
}

function seen(row: ProjectRow | undefined): ProjectRow {
  if (!row) throw notFound();
  return row;
}
