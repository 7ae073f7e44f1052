import type { StepStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';

@Entity('steps')
@Index('ix_steps_run_index', ['tenant_id', 'run_id', 'index'], { unique: true })
@Index('ix_steps_parent', ['tenant_id', 'run_id', 'parent_step_id'], { where: 'parent_step_id IS NOT NULL' })
@Check('ck_steps_index', `index >= 0`)
@Check(
  'ck_steps_status',
  `status IN ('pending', 'running', 'retrying', 'succeeded', 'failed', 'skipped', 'cancelled')`,
)
@Check('ck_steps_not_own_parent', `parent_step_id <> id`)
@Check('ck_steps_usage', `tokens_in >= 0 AND tokens_out >= 0 AND cost_usd >= 0 AND latency_ms >= 0`)
@Check(
  'ck_steps_cost_source',
  `cost_source IN ('reported', 'computed', 'override') AND (cost_source IS NULL) = (cost_usd IS NULL)`,
)
@Check('ck_steps_metadata', `jsonb_typeof(metadata) = 'object'`)
export class Step {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_steps' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_steps' })
  run_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_steps' })
  id: string;

  @Column('integer')
  index: number;

  @Column('text')
  node: string;

  @Column('text', { nullable: true })
  kind: string | null;

  @Column('text')
  status: StepStatus;

  @Column('uuid', { nullable: true })
  parent_step_id: string | null;

  @Column('json', { nullable: true })
  input: RawJson | null;

  @Column('json', { nullable: true })
  output: RawJson | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { nullable: true })
  error_type: string | null;

  @Column('bigint', { nullable: true })
  latency_ms: number | null;

  @Column('bigint', { nullable: true })
  tokens_in: number | null;

  @Column('bigint', { nullable: true })
  tokens_out: number | null;

  @Column('jsonb', { nullable: true })
  token_details: RawJson | null;

  @Column('numeric', { precision: 20, scale: 10, nullable: true })
  cost_usd: string | null;

  @Column('text', { nullable: true })
  cost_source: string | null;

  @Column('boolean', { default: false })
  tokens_below: boolean;

  @Column('boolean', { default: false })
  cost_below: boolean;

  @Column('text', { nullable: true })
  model: string | null;

  @Column('text', { nullable: true })
  provider: string | null;

  @Column('text', { nullable: true })
  agent_role: string | null;

  @Column('text', { nullable: true })
  tier: string | null;

  @Column('integer', { default: 0 })
  retry_count: number;

  @Column('jsonb', { default: {} })
  metadata: RawJson;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  @Column('text', { nullable: true })
  external_id: string | null;

  /** False while it is only heard of: by its end, or as the parent of another. */
  @Column('boolean', { default: true })
  announced: boolean;

  /** Which facts its end has said for good: a bit each. */
  @Column('integer', { default: 0 })
  settled: number;

  /** When the others were said, where that was not at its start. */
  @Column('jsonb', { nullable: true })
  said: RawJson | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_steps_run' },
    { name: 'run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_steps_run' },
  ])
  run: Relation<Run>;

  @ManyToOne(() => Step)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_steps_parent' },
    { name: 'run_id', referencedColumnName: 'run_id', foreignKeyConstraintName: 'fk_steps_parent' },
    { name: 'parent_step_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_steps_parent' },
  ])
  parent_step: Relation<Step> | null;
}
