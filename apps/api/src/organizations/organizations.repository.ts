import { Organization, type Transaction } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import type { OrganizationRow } from './dto/organization.dto.js';

/** The organization that a transaction acts in. */
@Injectable()
export class OrganizationsRepository {
  async insert(tx: Transaction, draft: { name: string; slug: string }): Promise<OrganizationRow> {
    const { raw } = await tx.entities
      .createQueryBuilder()
      .insert()
      .into(Organization)
      .values({ id: tx.scope.tenantId, ...draft })
      .returning('*')
      .execute();
    return (raw as OrganizationRow[])[0] as OrganizationRow;
  }

  async find(tx: Transaction): Promise<OrganizationRow | undefined> {
    return tx.entities
      .createQueryBuilder(Organization, 'o')
      .select('o.*')
      .where('o.id = :tenantId', { tenantId: tx.scope.tenantId })
      .getRawOne<OrganizationRow>();
  }
}
