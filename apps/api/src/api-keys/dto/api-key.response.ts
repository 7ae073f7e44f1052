import { ROLES, SCOPE_KINDS, type Role, type ScopeKind } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import { Choice, Id, ListOf, Name, Payload, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';
import { shownOnce } from '../../http/secret.js';
import type { ApiKeyRow } from '../api-key-row.js';

export class ApiKeyResponse {
  @Id({ description: 'The key.' })
  id: string;

  @Choice({ of: SCOPE_KINDS, description: 'How far the key sees.' })
  scope: ScopeKind;

  @Id({ nullable: true, description: 'The project of a project or agent key.' })
  project_id: string | null;

  @Id({ nullable: true, description: 'The agent of an agent key.' })
  agent_id: string | null;

  @Choice({ of: ROLES, description: 'What the key may do.' })
  role: Role;

  @Name({ description: 'What the key is for.' })
  name: string;

  @Text({ max: 12, description: 'The part of the key that is no secret; logs name the key by it.' })
  public_id: string;

  @Text({ max: 4, description: 'The last four characters of the key.' })
  hint: string;

  @Timestamp({ nullable: true, description: 'When the key stops working.' })
  expires_at: string | null;

  @Timestamp({ nullable: true, description: 'When the key was revoked.' })
  revoked_at: string | null;

  @Id({ nullable: true, description: 'The key that this one follows.' })
  rotated_from: string | null;

  @Timestamp({ nullable: true, description: 'Until when the key still works after its rotation.' })
  grace_until: string | null;

  @Id({ nullable: true, description: 'The key that minted this one.' })
  created_by: string | null;

  @Timestamp({ nullable: true, description: 'When the key was last used, to the minute.' })
  last_used_at: string | null;

  @Timestamp({ description: 'When the key was minted.' })
  created_at: string;

  static of({ updated_at: _updated, ...row }: ApiKeyRow): ApiKeyResponse {
    return row;
  }
}

export class ApiKeyPage {
  @ListOf(() => ApiKeyResponse, { description: 'Newest first.' })
  data: ApiKeyResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<ApiKeyRow>): ApiKeyPage {
    return { data: rows.map((row) => ApiKeyResponse.of(row)), next_cursor: nextCursor };
  }
}

/** A new key with what proves it. */
export interface MintedKey {
  row: ApiKeyRow;
  secret: string;
}

export class NewApiKeyResponse extends ApiKeyResponse {
  @Payload({
    nullable: true,
    description:
      'The key itself, a text. It is in this answer only: a replay of the request has `null` here.',
  })
  key: RawJson;

  static override of(minted: ApiKeyRow | MintedKey): NewApiKeyResponse {
    const { row, secret } = minted as MintedKey;
    return { ...ApiKeyResponse.of(row), key: shownOnce(secret) };
  }
}
