import type { AuditAction, AuditActor, AuditEntity, Role } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * Who did what to what, and when; a trigger refuses changes. It refers to nothing by a foreign key, since it outlives what it
 * tells of.
 */
@Entity('audit_log')
@Index('ix_audit_log_at', ['tenant_id', 'at', 'id'])
@Index('ix_audit_log_project', ['tenant_id', 'project_id', 'at', 'id'], { where: 'project_id IS NOT NULL' })
@Index('ix_audit_log_agent', ['tenant_id', 'agent_id', 'at', 'id'], { where: 'agent_id IS NOT NULL' })
@Index('ix_audit_log_entity', ['tenant_id', 'entity_id', 'at', 'id'])
@Index('ix_audit_log_action', ['tenant_id', 'action', 'at', 'id'])
@Index('ix_audit_log_key', ['tenant_id', 'key_id', 'at', 'id'], { where: 'key_id IS NOT NULL' })
@Check('ck_audit_log_actor', `actor IN ('key', 'root', 'system')`)
@Check('ck_audit_log_key', `(key_id IS NOT NULL) = (actor = 'key')`)
@Check('ck_audit_log_entity_type', `entity_type = split_part(action, '.', 1)`)
export class AuditEntry {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_audit_log' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_audit_log' })
  id: string;

  @Column('timestamptz', { default: () => 'now()' })
  at: Date;

  @Column('text')
  actor: AuditActor;

  /** The key that acted, and what it was at that time. */
  @Column('uuid', { nullable: true })
  key_id: string | null;

  @Column('text', { nullable: true })
  key_public_id: string | null;

  @Column('text', { nullable: true })
  key_name: string | null;

  @Column('text', { nullable: true })
  key_role: Role | null;

  @Column('text')
  action: AuditAction;

  @Column('text')
  entity_type: AuditEntity;

  @Column('uuid')
  entity_id: string;

  /** Where it was at that time; nothing for what belongs to the organization as a whole. */
  @Column('uuid', { nullable: true })
  project_id: string | null;

  @Column('uuid', { nullable: true })
  agent_id: string | null;

  @Column('jsonb', { nullable: true })
  before: RawJson | null;

  @Column('jsonb', { nullable: true })
  after: RawJson | null;

  @Column('uuid', { nullable: true })
  request_id: string | null;
}
