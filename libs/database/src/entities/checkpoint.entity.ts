import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** A state that a run can be continued from; a trigger refuses changes. */
@Entity('checkpoints')
@Index('ix_checkpoints_run_index', ['tenant_id', 'run_id', 'index'], { unique: true })
@Index('ix_checkpoints_step', ['tenant_id', 'run_id', 'step_id'], { where: 'step_id IS NOT NULL' })
@Check('ck_checkpoints_index', `index >= 0`)
export class Checkpoint {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_checkpoints' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_checkpoints' })
  run_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_checkpoints' })
  id: string;

  @Column('integer')
  index: number;

  @Column('text', { nullable: true })
  label: string | null;

  @Column('json')
  state: RawJson;

  @Column('integer')
  state_bytes: number;

  @Column('uuid', { nullable: true })
  step_id: string | null;

  /** When it came to be, by the reporter's clock. */
  @Column('timestamptz', { nullable: true })
  at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_checkpoints_run' },
    { name: 'run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_checkpoints_run' },
  ])
  run: Relation<Run>;

  @ManyToOne(() => Step)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_checkpoints_step' },
    { name: 'run_id', referencedColumnName: 'run_id', foreignKeyConstraintName: 'fk_checkpoints_step' },
    { name: 'step_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_checkpoints_step' },
  ])
  step: Relation<Step> | null;
}
