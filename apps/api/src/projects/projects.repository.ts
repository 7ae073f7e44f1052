import { Project, scopeColumns, sql, type Slice, type Transaction } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import type { SelectQueryBuilder } from 'typeorm';
import type { ProjectRow } from './project-row.js';

export interface ProjectChange {
  name?: string;
  description?: string | null;
}

const hold = sql<ProjectRow>(
  'hold-project',
  `SELECT id, name, description, created_at, updated_at FROM projects
   WHERE tenant_id = $1 AND ($2::uuid IS NULL OR id = $2) AND $3::uuid IS NULL AND id = $4 FOR NO KEY UPDATE`,
);

/** The projects that a scope sees: an organization's all, a project's one, an agent's none. */
@Injectable()
export class ProjectsRepository {
  async insert(
    tx: Transaction,
    id: string,
    draft: { name: string; description: string | null },
  ): Promise<ProjectRow> {
    const { raw } = await tx.entities
      .createQueryBuilder()
      .insert()
      .into(Project)
      .values({ tenant_id: tx.scope.tenantId, id, ...draft })
      .returning('*')
      .execute();
    return (raw as ProjectRow[])[0] as ProjectRow;
  }

  async find(tx: Transaction, id: string): Promise<ProjectRow | undefined> {
    return visible(tx).andWhere('p.id = :id', { id }).getRawOne<ProjectRow>();
  }

  /** Keeps the project as it is until the transaction ends. */
  async hold(tx: Transaction, id: string): Promise<ProjectRow | undefined> {
    return tx.row(hold, [...scopeColumns(tx.scope), id]);
  }

  async list(tx: Transaction, { limit, after }: Slice): Promise<ProjectRow[]> {
    const query = visible(tx).orderBy('p.created_at', 'DESC').addOrderBy('p.id', 'DESC').limit(limit);
    if (after)
      query.andWhere('(p.created_at, p.id) < (:at::timestamptz, :after::uuid)', {
        at: after[0],
        after: after[1],
      });
    return query.getRawMany<ProjectRow>();
  }

  async change(tx: Transaction, id: string, change: ProjectChange): Promise<ProjectRow | undefined> {
    const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
    const { raw } = await tx.entities
      .createQueryBuilder()
      .update(Project)
      .set({ ...change, updated_at: () => 'now()' })
      .where('tenant_id = :tenantId', { tenantId })
      .andWhere('(:projectId::uuid IS NULL OR id = :projectId) AND :agentId::uuid IS NULL', {
        projectId,
        agentId,
      })
      .andWhere('id = :id', { id })
      .returning('*')
      .execute();
    return (raw as ProjectRow[])[0];
  }

  /** Deletes a held project. */
  async remove(tx: Transaction, id: string): Promise<void> {
    const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
    await tx.entities
      .createQueryBuilder()
      .delete()
      .from(Project)
      .where('tenant_id = :tenantId', { tenantId })
      .andWhere('(:projectId::uuid IS NULL OR id = :projectId) AND :agentId::uuid IS NULL', {
        projectId,
        agentId,
      })
      .andWhere('id = :id', { id })
      .execute();
  }
}

function visible(tx: Transaction): SelectQueryBuilder<Project> {
  const [tenantId, projectId, agentId] = scopeColumns(tx.scope);
  return tx.entities
    .createQueryBuilder(Project, 'p')
    .select('p.id', 'id')
    .addSelect('p.name', 'name')
    .addSelect('p.description', 'description')
    .addSelect('p.created_at', 'created_at')
    .addSelect('p.updated_at', 'updated_at')
    .where('p.tenant_id = :tenantId', { tenantId })
    .andWhere('(:projectId::uuid IS NULL OR p.id = :projectId) AND :agentId::uuid IS NULL', {
      projectId,
      agentId,
    });
}
