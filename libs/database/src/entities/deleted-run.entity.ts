import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from './organization.entity.js';

/**
 * The id of a deleted run, kept for a day so that a late write does not bring it back. Apart for each agent: another's
 * key may take the id anew, and neither sees the other's.
 */
@Entity('deleted_runs')
@Index('ix_deleted_runs_deleted_at', ['deleted_at'])
export class DeletedRun {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_deleted_runs' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_deleted_runs' })
  run_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_deleted_runs' })
  project_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_deleted_runs' })
  agent_id: string;

  @Column('timestamptz', { default: () => 'now()' })
  deleted_at: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'fk_deleted_runs_organization' })
  organization: Relation<Organization>;
}
