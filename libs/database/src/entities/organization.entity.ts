import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A tenant; every other table's `tenant_id` is the id of one. */
@Entity('organizations')
@Unique('uq_organizations_slug', ['slug'])
@Check('ck_organizations_slug', `slug ~ '^[a-z0-9][a-z0-9-]{0,62}$'`)
@Check('ck_organizations_name', `char_length(name) BETWEEN 1 AND 128`)
export class Organization {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_organizations' })
  id: string;

  @Column('text')
  slug: string;

  @Column('text')
  name: string;

  @Column('jsonb', { default: {} })
  settings: RawJson;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;
}
