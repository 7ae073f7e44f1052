import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  Unique,
  type Relation,
} from 'typeorm';
import { Organization } from './organization.entity.js';

@Entity('projects')
@Unique('uq_projects_tenant_name', ['tenant_id', 'name'])
@Index('ix_projects_tenant_id', ['tenant_id', 'created_at', 'id'])
@Check('ck_projects_name', `char_length(name) BETWEEN 1 AND 128`)
@Check('ck_projects_description', `char_length(description) <= 1024`)
export class Project {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_projects' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_projects' })
  id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'fk_projects_organization' })
  organization: Relation<Organization>;
}
