import { Database, sql } from '@agentflow/database';
import { DomainError } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { v7 as newId } from 'uuid';
import { operator } from '../access/caller.js';
import { OrganizationsService } from '../organizations/organizations.service.js';
import { ProjectsService } from '../projects/projects.service.js';

const isFounded = sql<{ founded: boolean }>('is-founded', 'SELECT is_founded() AS founded');

/** Makes an empty installation usable: the first organization, project and admin key. */
@Injectable()
export class FirstOrganization {
  constructor(
    private readonly database: Database,
    private readonly organizations: OrganizationsService,
    private readonly projects: ProjectsService,
  ) {}

  /**
   * Founds the first organization with the given key, or one that is made, and answers the key; `undefined` when
   * there are organizations already. Of two processes at once one founds it.
   */
  async found(givenKey: string | undefined): Promise<string | undefined> {
    const [answer] = await this.database.unscoped(isFounded);
    if (answer?.founded) return undefined;
    const founder = operator(newId());
    try {
      return await this.database.transaction(founder, async (tx) => {
        const within = { ...founder, within: tx };
        const { row } = await this.organizations.found(
          within,
          { name: 'Default', slug: 'default' },
          givenKey,
        );
        await this.projects.create(within, { name: 'default', description: 'The first project' });
        return row.key.secret;
      });
    } catch (error) {
      if (error instanceof DomainError && error.code === 'slug_taken') return undefined;
      throw error;
    }
  }
}
