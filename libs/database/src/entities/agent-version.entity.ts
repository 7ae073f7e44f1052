import type { RawJson } from '@agentflow/domain';
import { Check, Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { Agent } from './agent.entity.js';

/** A snapshot that nothing changes: a trigger refuses it. */
@Entity('agent_versions')
@Index('uq_agent_versions_agent_version', ['tenant_id', 'agent_id', 'version'], { unique: true })
@Index('ix_agent_versions_agent_id', ['tenant_id', 'agent_id', 'version'])
@Check('ck_agent_versions_note', `char_length(note) <= 512`)
export class AgentVersion {
  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_agent_versions' })
  tenant_id: string;

  @PrimaryColumn('uuid', { primaryKeyConstraintName: 'pk_agent_versions' })
  id: string;

  @Column('uuid')
  agent_id: string;

  @Column('integer')
  version: number;

  @Column('text')
  adapter: string;

  @Column('jsonb')
  config: RawJson;

  @Column('text', { nullable: true })
  description: string | null;

  @Column('text', { nullable: true })
  note: string | null;

  @Column('timestamptz', { default: () => 'now()' })
  created_at: Date;

  @ManyToOne(() => Agent, { onDelete: 'CASCADE' })
  @JoinColumn([
    {
      name: 'tenant_id',
      referencedColumnName: 'tenant_id',
      foreignKeyConstraintName: 'fk_agent_versions_agent',
    },
    { name: 'agent_id', referencedColumnName: 'id', foreignKeyConstraintName: 'fk_agent_versions_agent' },
  ])
  agent: Relation<Agent>;
}
