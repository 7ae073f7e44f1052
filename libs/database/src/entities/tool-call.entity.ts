import type { ToolCallStatus } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Agent } from './agent.entity.js';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** A call may stand outside every run, but never outside an agent. */
@Entity('tool_calls')
@Index('ix_tool_calls_step', ['tenant_id', 'run_id', 'step_id', 'created_at', 'id'], {
  where: 'step_id IS NOT NULL',
})
@Index('ix_tool_calls_run', ['tenant_id', 'run_id', 'created_at', 'id'], { where: 'run_id IS NOT NULL' })
@Index('ix_tool_calls_agent', ['tenant_id', 'agent_id', 'run_id', 'created_at', 'id'])
@Check('ck_tool_calls_step_has_run', `step_id IS NULL OR run_id IS NOT NULL`)
@Check('ck_tool_calls_status', `status IN ('running', 'succeeded', 'failed', 'cancelled')`)
@Check('ck_tool_calls_latency', `latency_ms >= 0`)
@Check('ck_tool_calls_metadata', `jsonb_typeof(metadata) = 'object'`)
export class ToolCall {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_tool_calls' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_tool_calls' })
  id: string;

  @Column('uuid')
  agent_id: string;

  @Column('uuid', { nullable: true })
  run_id: string | null;

  @Column('uuid', { nullable: true })
  step_id: string | null;

  @Column('text')
  name: string;

  @Column('text')
  status: ToolCallStatus;

  @Column('json', { nullable: true })
  arguments: RawJson | null;

  @Column('json', { nullable: true })
  result: RawJson | null;

  @Column('text', { nullable: true })
  error: string | null;

  @Column('text', { nullable: true })
  error_type: string | null;

  @Column('bigint', { nullable: true })
  latency_ms: number | null;

  @Column('text', { nullable: true })
  provider_call_id: string | null;

  @Column('jsonb', { default: {} })
  metadata: RawJson;

  @Column('timestamptz', { nullable: true })
  started_at: Date | null;

  @Column('timestamptz', { nullable: true })
  ended_at: Date | null;

  /** False while it is only heard of, by its end. */
  @Column('boolean', { default: true })
  announced: boolean;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @Column('timestamptz', { default: () => 'now()' })
  updated_at: Date;

  @ManyToOne(() => Agent)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_tool_calls_agent' },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_tool_calls_agent' },
  ])
  agent: Relation<Agent>;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_tool_calls_run' },
    { name: 'run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_tool_calls_run' },
  ])
  run: Relation<Run> | null;

  @ManyToOne(() => Step)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_tool_calls_step' },
    { name: 'run_id', referencedColumnName: 'run_id', foreignKeyConstraintName: 'fk_tool_calls_step' },
    { name: 'step_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_tool_calls_step' },
  ])
  step: Relation<Step> | null;
}
