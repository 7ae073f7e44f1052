import type {
  BulkActionCancelReason,
  BulkActionKind,
  BulkActionStatus,
  ScopeKind,
} from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Agent } from './agent.entity.js';
import { Organization } from './organization.entity.js';
import { Project } from './project.entity.js';

/** What is to be done to many runs, and how far it has come; a trigger refuses changes of what has ended. */
@Entity('bulk_actions')
@Index('ix_bulk_actions_tenant', ['tenant_id', 'created_at', 'id'])
@Index('ix_bulk_actions_project', ['tenant_id', 'project_id', 'created_at', 'id'], {
  where: 'project_id IS NOT NULL',
})
@Index('ix_bulk_actions_agent', ['tenant_id', 'agent_id', 'created_at', 'id'], {
  where: 'agent_id IS NOT NULL',
})
@Index('ix_bulk_actions_open', ['updated_at'], { where: `status IN ('pending', 'running')` })
@Check(
  'ck_bulk_actions_scope',
  `CASE scope
    WHEN 'organization' THEN project_id IS NULL AND agent_id IS NULL
    WHEN 'project' THEN project_id IS NOT NULL AND agent_id IS NULL
    WHEN 'agent' THEN project_id IS NOT NULL AND agent_id IS NOT NULL
    ELSE false END`,
)
@Check('ck_bulk_actions_action', `action IN ('cancel', 'delete', 'retry')`)
@Check('ck_bulk_actions_selection', `(ids IS NULL) <> (filter IS NULL)`)
@Check('ck_bulk_actions_filter', `jsonb_typeof(filter) = 'object'`)
@Check('ck_bulk_actions_reuse', `reuse IN ('none', 'recorded_tool_results')`)
@Check('ck_bulk_actions_status', `status IN ('pending', 'running', 'succeeded', 'failed', 'cancelled')`)
@Check('ck_bulk_actions_cancel_reason', `cancel_reason IN ('requested', 'key_revoked')`)
@Check('ck_bulk_actions_cancelled', `(status = 'cancelled') = (cancel_reason IS NOT NULL)`)
@Check(
  'ck_bulk_actions_ended_at',
  `(ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'cancelled'))`,
)
@Check('ck_bulk_actions_skipped', `jsonb_typeof(skipped) = 'object'`)
@Check('ck_bulk_actions_errors', `jsonb_typeof(errors) = 'array'`)
export class BulkAction {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_bulk_actions' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_bulk_actions' })
  id: string;

  /** That of the key that asked, with the two ids. */
  @Column('text')
  scope: ScopeKind;

  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('uuid', { nullable: true })
  agent_id: string | null;

  @Column('text')
  action: BulkActionKind;

  /** The runs, in the order of their ids; absent when a filter chooses them. */
  @Column('uuid', { array: true, nullable: true })
  ids: string[] | null;

  @Column('jsonb', { nullable: true })
  filter: RawJson | null;

  @Column('text', { nullable: true })
  reason: string | null;

  @Column('boolean', { default: false })
  force: boolean;

  @Column('text', { nullable: true })
  reuse: 'none' | 'recorded_tool_results' | null;

  /** The key that asked, and whose work it is. */
  @Column('uuid')
  created_by: string;

  @Column('text', { default: 'pending' })
  status: BulkActionStatus;

  @Column('text', { nullable: true })
  cancel_reason: BulkActionCancelReason | null;

  /** How far it has come: what a filter chooses is done from the newest to the oldest, ids from the lowest up. */
  @Column('timestamptz', { default: () => 'now()' })
  after_created_at: Date;

  @Column('uuid')
  after_id: string;

  @Column('integer', { default: 0 })
  done: number;

  @Column('integer', { default: 0 })
  failed: number;

  /** How many were left as they are, by the code of the refusal. */
  @Column('jsonb', { default: {} })
  skipped: RawJson;

  /** The first runs that failed, each with a code. */
  @Column('jsonb', { default: [] })
  errors: RawJson;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'fk_bulk_actions_organization' })
  organization: Relation<Organization>;

  @ManyToOne(() => Project, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_bulk_actions_project',
    },
    { name: 'project_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_bulk_actions_project' },
  ])
  project: Relation<Project> | null;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_bulk_actions_agent',
    },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_bulk_actions_agent' },
  ])
  agent: Relation<Agent> | null;
}
