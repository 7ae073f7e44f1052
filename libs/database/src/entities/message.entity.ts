import type { MessageRole } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';
import { Step } from './step.entity.js';

/** Said is said: a trigger refuses changes. */
@Entity('messages')
@Index('ix_messages_run_index', ['tenant_id', 'run_id', 'index'], { unique: true })
@Index('ix_messages_step', ['tenant_id', 'run_id', 'step_id'], { where: 'step_id IS NOT NULL' })
@Check('ck_messages_index', `index >= 0`)
@Check('ck_messages_role', `role IN ('system', 'developer', 'user', 'assistant', 'tool')`)
export class Message {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_messages' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_messages' })
  run_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_messages' })
  id: string;

  @Column('uuid', { nullable: true })
  step_id: string | null;

  @Column('integer')
  index: number;

  @Column('text')
  role: MessageRole;

  @Column('text', { nullable: true })
  name: string | null;

  @Column('text', { nullable: true })
  content: string | null;

  @Column('text', { nullable: true })
  tool_call_id: string | null;

  @Column('json', { nullable: true })
  extra: RawJson | null;

  /** When it came to be, by the reporter's clock. */
  @Column('timestamptz', { nullable: true })
  at: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  /** Kept by the trigger `fk_messages_run`. */
  @ManyToOne(() => Run, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id' },
    { name: 'run_id', referencedColumnName: 'id' },
  ])
  run: Relation<Run>;

  @ManyToOne(() => Step)
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id', foreignKeyConstraintName: 'fk_messages_step' },
    { name: 'run_id', referencedColumnName: 'run_id', foreignKeyConstraintName: 'fk_messages_step' },
    { name: 'step_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_messages_step' },
  ])
  step: Relation<Step> | null;
}
