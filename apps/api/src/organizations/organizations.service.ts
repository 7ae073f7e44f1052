import { recordAct, type Stored } from '@agentflow/core';
import { Database, violatedConstraint, type Actor } from '@agentflow/database';
import { DomainError, notFound } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { KeyMint } from '../api-keys/key-mint.js';
import type { FoundedOrganization, OrganizationRow } from './dto/organization.dto.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsRepository,
    private readonly mint: KeyMint,
  ) {}

  /**
   * Founds the organization that the operator acts in, with its first admin key: given, or made. Both are there or
   * neither.
   */
  async found(
    actor: Actor,
    draft: { name: string; slug: string },
    firstKey?: string,
  ): Promise<Stored<FoundedOrganization>> {
    try {
      return await this.database.transaction(actor, async (tx) => {
        const organization = await this.organizations.insert(tx, { name: draft.name, slug: draft.slug });
        const { id, name, slug } = organization;
        await recordAct(tx, actor, { action: 'organization.created', entityId: id, after: { name, slug } });
        const grant = {
          scope: 'organization',
          project_id: null,
          agent_id: null,
          role: 'admin',
          expires_at: null,
        } as const;
        const key = await this.mint.strike(
          tx,
          actor,
          { ...grant, name: 'first admin key', created_by: null },
          firstKey,
        );
        return { row: { organization, key }, isNew: true };
      });
    } catch (error) {
      if (violatedConstraint(error) === 'uq_organizations_slug') throw new DomainError('slug_taken');
      throw error;
    }
  }

  /** The caller's own organization. */
  async own(actor: Actor): Promise<OrganizationRow> {
    const row = await this.database.transaction(actor, (tx) => this.organizations.find(tx));
    if (!row) throw notFound();
    return row;
  }
}
