import type { RunCommand, RunOrigin, RunStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Agent } from './agent.entity.js';
import { Checkpoint } from './checkpoint.entity.js';
import { Project } from './project.entity.js';

@Entity('runs')
@Index('ix_runs_tenant_id', ['tenant_id', 'adapter', 'created_at', 'id'])
@Index('ix_runs_project_id', ['tenant_id', 'project_id', 'created_at', 'id'])
@Index('ix_runs_tenant_created', ['tenant_id', 'created_at', 'id'])
@Index('ix_runs_status', ['tenant_id', 'status', 'created_at', 'id'])
@Index('ix_runs_agent_id', ['tenant_id', 'agent_id', 'created_at', 'id'])
@Index('ix_runs_session_id', ['tenant_id', 'session_id', 'created_at', 'id'], {
  where: 'session_id IS NOT NULL',
})
@Index('ix_runs_parent_run_id', ['tenant_id', 'parent_run_id', 'created_at', 'id'], {
  where: 'parent_run_id IS NOT NULL',
})
@Index('uq_runs_external_id', ['tenant_id', 'external_id'], {
  unique: true,
  where: 'external_id IS NOT NULL',
})
@Index('ix_runs_offered', ['tenant_id', 'agent_id', 'created_at', 'id'], {
  where: `status = 'pending' AND lease_token IS NULL`,
})
@Index('ix_runs_leases', ['lease_expires_at'], {
  where: `status = 'running' AND lease_expires_at IS NOT NULL`,
})
@Index('ix_runs_open_traces', ['created_at'], { where: `from_trace AND status = 'running'` })
@Check(
  'ck_runs_status',
  `status IN ('pending', 'running', 'waiting_human', 'succeeded', 'failed', 'cancelled')`,
)
@Check('ck_runs_ended_at', `(ended_at IS NOT NULL) = (status IN ('succeeded', 'failed', 'cancelled'))`)
@Check('ck_runs_adapter', `adapter ~ '^[a-z0-9._-]{1,64}$'`)
@Check('ck_runs_from_checkpoint', `from_checkpoint_id IS NULL OR parent_run_id IS NOT NULL`)
@Check('ck_runs_origin', `origin IN ('retry', 'fork', 'subagent')`)
@Check('ck_runs_reuse', `reuse IN ('recorded_tool_results')`)
@Check('ck_runs_metadata', `jsonb_typeof(metadata) = 'object'`)
@Check('ck_runs_tags', `jsonb_typeof(tags) = 'array'`)
@Check('ck_runs_last_move', `last_move IN ('start', 'wait', 'resume', 'succeed', 'fail', 'cancel')`)
@Check('ck_runs_quality_score', `quality_score BETWEEN 0 AND 1`)
@Check('ck_runs_totals', `tokens_in >= 0 AND tokens_out >= 0 AND cost_usd >= 0`)
export class Run {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_runs' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_runs' })
  id: string;

  @Column('uuid')
  project_id: string;

  @Column('uuid')
  agent_id: string;

  @Column('integer')
  agent_version: number;

  @Column('text')
  adapter: string;

  @Column('text')
  status: RunStatus;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('json', { nullable: true })
  input: RawJson | null;

  @Column('json', { nullable: true })
  output: RawJson | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { nullable: true })
  error_type: string | null;

  @Column('jsonb', { default: {} })
  metadata: RawJson;

  @Column('jsonb', { default: [] })
  tags: RawJson;

  @Column('text', { nullable: true })
  session_id: string | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  @Column('uuid', { nullable: true })
  parent_run_id: string | null;

  @Column('text', { nullable: true })
  origin: RunOrigin | null;

  @Column('uuid', { nullable: true })
  from_checkpoint_id: string | null;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  @Column('integer', { nullable: true })
  lease_seconds: number | null;

  @Column('uuid', { nullable: true })
  lease_token: string | null;

  @Column('timestamptz', { nullable: true })
  lease_expires_at: Date | null;

  @Column('text', { nullable: true })
  last_move: RunCommand | null;

  @Column('json', { nullable: true })
  waiting_for: RawJson | null;

  @Column('json', { nullable: true })
  resume_input: RawJson | null;

  /** Kept by a trigger, as `waited_ms` is: since when it waits for a person. */
  @Column('timestamptz', { nullable: true })
  waiting_since: Date | null;

  /** How long it has waited for people, without the wait under way. */
  @Column('bigint', { default: 0 })
  waited_ms: number;

  @Column('integer', { default: 0 })
  next_step_index: number;

  @Column('integer', { default: 0 })
  next_message_index: number;

  @Column('integer', { default: 0 })
  next_checkpoint_index: number;

  @Column('bigint', { default: 0 })
  last_event_seq: number;

  /** The `xid` of the last event. */
  @Column('bigint', { default: 0 })
  last_event_xid: number;

  @Column('integer', { default: 0 })
  failed_steps: number;

  @Column('integer', { default: 0 })
  tool_calls: number;

  @Column('integer', { default: 0 })
  failed_tool_calls: number;

  @Column('numeric', { precision: 38, scale: 0, default: 0 })
  tokens_in: string;

  @Column('numeric', { precision: 38, scale: 0, default: 0 })
  tokens_out: string;

  @Column('numeric', { precision: 38, scale: 10, default: 0 })
  cost_usd: string;

  @Column('numeric', { precision: 4, scale: 3, nullable: true })
  quality_score: string | null;

  /** False while it is only heard of: its announcement, which says whose it is, has not come yet. */
  @Column('boolean', { default: true })
  announced: boolean;

  /** When it came to stand where it does, by the clock of a reporter that says so. */
  @Column('timestamptz', { nullable: true })
  moved_at: Date | null;

  /** Another reporter began it, and none of our own clients has announced it: its end may never come. */
  @Column('boolean', { default: false })
  from_trace: boolean;

  /** Its end is what another reporter said, who may say otherwise when more of the trace is known. */
  @Column('boolean', { default: false })
  ended_by_trace: boolean;

  /** What whoever picks the run up is given of the run that it was made of. */
  @Column('text', { nullable: true })
  reuse: 'recorded_tool_results' | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Project)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_runs_project' },
    { name: 'project_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_runs_project' },
  ])
  project: Relation<Project>;

  @ManyToOne(() => Agent)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_runs_agent' },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_runs_agent' },
  ])
  agent: Relation<Agent>;

  @ManyToOne(() => Run, { onDelete: 'SET NULL' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_runs_parent' },
    { name: 'parent_run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_runs_parent' },
  ])
  parent_run: Relation<Run> | null;

  @ManyToOne(() => Checkpoint, { onDelete: 'SET NULL' })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_runs_from_checkpoint',
    },
    {
      name: 'parent_run_id',
      referencedColumnName: 'run_id',
      foreignKeyConstraintName: 'fk_runs_from_checkpoint',
    },
    {
      name: 'from_checkpoint_id',
      referencedColumnName: 'id',
      foreignKeyConstraintName: 'fk_runs_from_checkpoint',
    },
  ])
  from_checkpoint: Relation<Checkpoint> | null;
}
