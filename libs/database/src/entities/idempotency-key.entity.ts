import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The answer to a request that carried an `Idempotency-Key`; without a status it is still being made. */
@Entity('idempotency_keys')
@Index('ix_idempotency_keys_created_at', ['created_at'])
@Check('ck_idempotency_keys_key', `char_length(key) BETWEEN 1 AND 255`)
@Check('ck_idempotency_keys_digest', `octet_length(request_digest) = 32`)
export class IdempotencyKey {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_idempotency_keys' })
  tenant_id: string;

  /** The organization, the project or the agent whose key sent it. */
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_idempotency_keys' })
  scope_id: string;

  @PrimaryColumn('text', { primaryKeyConstraintName: 'pk_idempotency_keys' })
  key: string;

  @Column('text')
  method: string;

  @Column('text')
  route: string;

  @Column('bytea')
  request_digest: Buffer;

  @Column('smallint', { nullable: true })
  status: number | null;

  @Column('json', { nullable: true })
  response: RawJson | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;
}
