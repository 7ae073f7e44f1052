import {
  AUDIT_ACTIONS,
  AUDIT_ACTORS,
  AUDIT_ENTITIES,
  ROLES,
  type AuditAction,
  type AuditActor,
  type AuditEntity,
  type Role,
} from '@agentflow/contracts';
import type { AuditEntryRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, JsonObject, ListOf, Nested, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

export class AuditActorResponse {
  @Choice({
    of: AUDIT_ACTORS,
    description: '`key`: the holder of an API key; `root`: the operator; `system`: the product by itself.',
  })
  kind: AuditActor;

  @Id({ nullable: true, description: 'The key.' })
  key_id: string | null;

  @Text({ max: 12, nullable: true, description: 'The part of the key that is no secret.' })
  public_id: string | null;

  @Text({ max: 128, nullable: true, description: 'The name of the key at that time.' })
  name: string | null;

  @Choice({ of: ROLES, nullable: true, description: 'What the key could do at that time.' })
  role: Role | null;
}

export class AuditEntryResponse {
  @Id({ description: 'The entry.' })
  id: string;

  @Timestamp({ description: "When it was done, by the database's clock." })
  at: string;

  @Nested(() => AuditActorResponse, { description: 'Who did it.' })
  actor: AuditActorResponse;

  @Choice({ of: AUDIT_ACTIONS, description: 'What was done.' })
  action: AuditAction;

  @Choice({ of: AUDIT_ENTITIES, description: 'To what kind of thing.' })
  entity_type: AuditEntity;

  @Id({ description: 'To which; it may be deleted since.' })
  entity_id: string;

  @Id({ nullable: true, description: 'The project in which it was at that time.' })
  project_id: string | null;

  @Id({ nullable: true, description: 'The agent whose it was at that time.' })
  agent_id: string | null;

  @JsonObject({ nullable: true, description: 'What was changed, as it was before. No secrets, no payloads.' })
  before: RawJson | null;

  @JsonObject({ nullable: true, description: 'The same as it was afterwards.' })
  after: RawJson | null;

  @Id({ nullable: true, description: 'The `X-Request-Id` of the answer to the request that asked for it.' })
  request_id: string | null;

  static of(row: AuditEntryRow): AuditEntryResponse {
    return {
      id: row.id,
      at: row.at,
      actor: {
        kind: row.actor,
        key_id: row.key_id,
        public_id: row.key_public_id,
        name: row.key_name,
        role: row.key_role,
      },
      action: row.action,
      entity_type: row.entity_type,
      entity_id: row.entity_id,
      project_id: row.project_id,
      agent_id: row.agent_id,
      before: row.before,
      after: row.after,
      request_id: row.request_id,
    };
  }
}

export class AuditLogPage {
  @ListOf(() => AuditEntryResponse, { description: 'Newest first.' })
  data: AuditEntryResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<AuditEntryRow>): AuditLogPage {
    return { data: rows.map((row) => AuditEntryResponse.of(row)), next_cursor: nextCursor };
  }
}
