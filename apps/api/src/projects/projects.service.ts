import { Database, violatedConstraint, type Actor, type Slice } from '@agentflow/database';
import { AgentDeletion, type Stored } from '@agentflow/core';
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
      this.database.transaction(actor, (tx) =>
        this.projects.insert(tx, newId(), { name: draft.name, description: draft.description ?? null }),
      ),
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
    return seen(
      await this.named(() => this.database.transaction(actor, (tx) => this.projects.change(tx, id, change))),
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
      const removed = await this.database.transaction(actor, (tx) => this.projects.remove(tx, id));
      if (!removed) throw notFound();
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
