import type { RunEventType } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';

/** What happened to a run, in the order in which it was committed; a trigger refuses changes. */
@Entity('run_events')
@Check('ck_run_events_seq', `seq >= 1`)
@Index('ix_run_events_xid', ['tenant_id', 'xid'])
export class RunEvent {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_run_events' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_run_events' })
  run_id: string;

  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'pk_run_events' })
  seq: number;

  /** Its place among the events of all runs: the transaction that wrote it, or a later one that the run had seen. */
  // TypeORM compares defaults without their casts.
  @Column('bigint', { default: () => '((pg_current_xact_id()))' })
  xid: number;

  @Column('text')
  type: RunEventType;

  @Column('uuid', { nullable: true })
  entity_id: string | null;

  @Column('json', { nullable: true })
  data: RawJson | null;

  @Column('uuid', { nullable: true })
  actor: string | null;

  @Column('timestamptz', { default: () => 'clock_timestamp()' })
  at: Date;

  /** Kept by the trigger `fk_run_events_run`. */
  @ManyToOne(() => Run, { createForeignKeyConstraints: false })
  @JoinColumn([
    { name: 'tenant_id', referencedColumnName: 'tenant_id' },
    { name: 'run_id', referencedColumnName: 'id' },
  ])
  run: Relation<Run>;
}
