import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Project } from './project.entity.js';

@Entity('agents')
@Index('uq_agents_tenant_name', ['tenant_id', 'name'], { unique: true, where: 'deleting_since IS NULL' })
@Index('ix_agents_tenant_id', ['tenant_id', 'created_at', 'id'])
@Index('ix_agents_project_id', ['tenant_id', 'project_id', 'created_at', 'id'])
@Index('ix_agents_deleting', ['deleting_since'], { where: 'deleting_since IS NOT NULL' })
@Check('ck_agents_name', `char_length(name) BETWEEN 1 AND 128`)
@Check('ck_agents_description', `char_length(description) <= 1024`)
@Check('ck_agents_adapter', `adapter ~ '^[a-z0-9._-]{1,64}$'`)
@Check('ck_agents_config', `jsonb_typeof(config) = 'object'`)
@Check('ck_agents_version', `version >= 1`)
export class Agent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_agents' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_agents' })
  id: string;

  @Column('uuid')
  project_id: string;

  @Column('text')
  name: string;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text')
  adapter: string;

  @Column('jsonb', { default: {} })
  config: RawJson;

  @Column('integer', { default: 1 })
  version: number;

  @Column('timestamptz', { nullable: true })
  deleting_since: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Project)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_agents_project' },
    { name: 'project_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_agents_project' },
  ])
  project: Relation<Project>;
}
