import { Check, Column, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Run } from './run.entity.js';

/** What another reporter sent about one run in one request, as it came, so that a later mapping can be applied to it. */
@Entity('received_reports')
@Check('ck_received_reports_dialect', `dialect ~ '^[a-z0-9._-]{1,64}$'`)
export class ReceivedReport {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_received_reports' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_received_reports' })
  run_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_received_reports' })
  id: string;

  @Column('text')
  dialect: string;

  /** The version of the mapping that was applied last. */
  @Column('integer')
  mapping_version: number;

  @Column('bytea')
  body: Buffer;

  /** It says something of the run itself, and not only of what is below it. */
  @Column('boolean', { default: false })
  speaks_of_run: boolean;

  /** What it speaks of, by the reporter's own ids: an array of texts. */
  @Column('jsonb', { default: [] })
  about: string[];

  @Column('timestamptz', { default: () => 'now()' })
  received_at: Date;

  @ManyToOne(() => Run, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_received_reports_run',
    },
    { name: 'run_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_received_reports_run' },
  ])
  run: Relation<Run>;
}
