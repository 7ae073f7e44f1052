import type { ApprovalDueAction, ApprovalKind, ApprovalStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';
import { ToolCall } from './tool-call.entity.js';

/** A question of a run to people, with what was decided; a trigger refuses a second decision. */
@Entity('approvals')
@Index('ix_approvals_status', ['tenant_id', 'status', 'created_at', 'id'])
@Index('ix_approvals_project', ['tenant_id', 'project_id', 'status', 'created_at', 'id'])
@Index('ix_approvals_agent', ['tenant_id', 'agent_id', 'status', 'created_at', 'id'])
@Index('ix_approvals_assignee', ['tenant_id', 'assignee', 'status', 'created_at', 'id'], {
  where: 'assignee IS NOT NULL',
})
@Index('ix_approvals_run', ['tenant_id', 'run_id', 'status', 'created_at', 'id'])
@Index('ix_approvals_step', ['tenant_id', 'run_id', 'step_id'], { where: 'step_id IS NOT NULL' })
@Index('ix_approvals_tool_call', ['tenant_id', 'tool_call_id'], { where: 'tool_call_id IS NOT NULL' })
@Index('ix_approvals_due', ['due_at'], { where: `status = 'pending' AND due_at IS NOT NULL` })
@Check('ck_approvals_index', `index >= 0`)
@Check('ck_approvals_kind', `kind IN ('tool', 'question', 'gate')`)
@Check('ck_approvals_allowed', `jsonb_typeof(allowed) = 'array'`)
@Check('ck_approvals_on_due', `on_due IN ('cancel', 'reject')`)
@Check('ck_approvals_due', `(due_at IS NULL) = (on_due IS NULL)`)
@Check(
  'ck_approvals_status',
  `status IN ('pending', 'approved', 'edited', 'rejected', 'responded', 'expired', 'cancelled')`,
)
@Check('ck_approvals_decided_at', `(decided_at IS NULL) = (status = 'pending')`)
export class Approval {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_approvals' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_approvals' })
  id: string;

  @Column('uuid')
  run_id: string;

  /** The run's, as `agent_id` is: a trigger keeps them so. */
  @Column('uuid')
  project_id: string;

  @Column('uuid')
  agent_id: string;

  @Column('uuid', { nullable: true })
  step_id: string | null;

  @Column('uuid', { nullable: true })
  tool_call_id: string | null;

  /** Its place among those that were asked at once. */
  @Column('integer')
  index: number;

  @Column('text')
  kind: ApprovalKind;

  /** The one question of a run that waits without naming approvals: resuming the run answers it. */
  @Column('boolean', { default: false })
  is_implicit: boolean;

  @Column('json', { nullable: true })
  payload: RawJson | null;

  @Column('text', { nullable: true })
  arguments_hash: string | null;

  @Column('jsonb')
  allowed: RawJson;

  @Column('json', { nullable: true })
  schema: RawJson | null;

  @Column('text', { nullable: true })
  assignee: string | null;

  @Column('timestamptz', { nullable: true })
  due_at: Date | null;

  @Column('text', { nullable: true })
  on_due: ApprovalDueAction | null;

  @Column('text', { default: 'pending' })
  status: ApprovalStatus;

  @Column('json', { nullable: true })
  answer: RawJson | null;

  @Column('text', { nullable: true })
  reason: string | null;

  /** The key that decided; nobody when its time was over or its run went on without it. */
  @Column('uuid', { nullable: true })
  decided_by: string | null;

  @Column('timestamptz', { nullable: true })
  decided_at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_approvals_run' },
    { name: 'run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_approvals_run' },
  ])
  run: Relation<Run>;

  @ManyToOne(() => Step)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_approvals_step' },
    { name: 'run_id', referencedColumnName: 'run_id', foreignKeyConstraintName: 'fk_approvals_step' },
    { name: 'step_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_approvals_step' },
  ])
  step: Relation<Step> | null;

  @ManyToOne(() => ToolCall)
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_approvals_tool_call',
    },
    { name: 'tool_call_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_approvals_tool_call' },
  ])
  tool_call: Relation<ToolCall> | null;
}
