import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Organization } from './organization.entity.js';

@Entity('model_prices')
@Index('uq_model_prices_model', ['tenant_id', 'model', 'provider', 'valid_from'], { unique: true })
@Index('ix_model_prices_tenant_id', ['tenant_id', 'created_at', 'id'])
@Check('ck_model_prices_provider', `char_length(provider) BETWEEN 1 AND 256`)
@Check('ck_model_prices_model', `char_length(model) BETWEEN 1 AND 256`)
@Check('ck_model_prices_amounts', `input >= 0 AND output >= 0 AND cache_read >= 0 AND cache_write >= 0`)
export class ModelPrice {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_model_prices' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_model_prices' })
  id: string;

  @Column('text', { nullable: true })
  provider: string | null;

  @Column('text')
  model: string;

  @Column('numeric', { precision: 20, scale: 10 })
  input: string;

  @Column('numeric', { precision: 20, scale: 10 })
  output: string;

  @Column('numeric', { precision: 20, scale: 10, nullable: true })
  cache_read: string | null;

  @Column('numeric', { precision: 20, scale: 10, nullable: true })
  cache_write: string | null;

  @Column('timestamptz', { nullable: true })
  valid_from: Date | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @ManyToOne(() => Organization, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'tenant_id', foreignKeyConstraintName: 'fk_model_prices_organization' })
  organization: Relation<Organization>;
}
