import type { Role, ScopeKind } from '@agentflow/contracts';
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
import { Agent } from './agent.entity.js';
import { Organization } from './organization.entity.js';
import { Project } from './project.entity.js';

@Entity('api_keys')
@Unique('uq_api_keys_public_id', ['public_id'])
@Index('ix_api_keys_tenant_id', ['tenant_id', 'created_at', 'id'])
@Index('ix_api_keys_created_by', ['tenant_id', 'created_by'], { where: 'created_by IS NOT NULL' })
@Index('uq_api_keys_rotated_from', ['tenant_id', 'rotated_from'], {
  unique: true,
  where: 'rotated_from IS NOT NULL',
})
@Check('ck_api_keys_role', `role IN ('viewer', 'reporter', 'operator', 'admin')`)
@Check('ck_api_keys_name', `char_length(name) BETWEEN 1 AND 128`)
@Check('ck_api_keys_digest', `octet_length(digest) = 32`)
@Check(
  'ck_api_keys_scope',
  `CASE scope
    WHEN 'organization' THEN project_id IS NULL AND agent_id IS NULL
    WHEN 'project' THEN project_id IS NOT NULL AND agent_id IS NULL
    WHEN 'agent' THEN project_id IS NOT NULL AND agent_id IS NOT NULL
    ELSE false END`,
)
export class ApiKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_api_keys' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_api_keys' })
  id: string;

  @Column('text')
  scope: ScopeKind;

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('uuid', { nullable: true })
  agent_id: string | null;

  @Column('text')
  role: Role;

  @Column('text')
  name: string;

  @Column('text')
  public_id: string;

  @Column('text')
  hint: string;

  /** Nobody but `authenticate_key` may read it. */
  @Column('bytea', { select: false })
  digest: Buffer;

  @Column('timestamptz', { nullable: true })
  expires_at: Date | null;

  @Column('timestamptz', { nullable: true })
  revoked_at: Date | null;

  @Column('uuid', { nullable: true })
  rotated_from: string | null;

  @Column('timestamptz', { nullable: true })
  grace_until: Date | null;

  @Column('uuid', { nullable: true })
  created_by: string | null;

  @Column('timestamptz', { nullable: true })
  last_used_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'fk_api_keys_organization' })
  organization: Relation<Organization>;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_api_keys_project' },
    { name: 'project_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_api_keys_project' },
  ])
  project: Relation<Project> | null;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_api_keys_agent' },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_api_keys_agent' },
  ])
  agent: Relation<Agent> | null;

  @ManyToOne(() => ApiKey)
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_api_keys_rotated_from',
    },
    {
      name: 'rotated_from',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_api_keys_rotated_from',
    },
  ])
  predecessor: Relation<ApiKey> | null;

  @ManyToOne(() => ApiKey)
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_api_keys_created_by',
    },
    { name: 'created_by', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_api_keys_created_by' },
  ])
  creator: Relation<ApiKey> | null;
}
