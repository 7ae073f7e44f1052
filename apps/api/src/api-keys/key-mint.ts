import type { ScopeKind } from '@agentflow/contracts';
import { recordAct, type Performer } from '@agentflow/core';
import { ApiKey, type Transaction } from '@agentflow/database';
import {
  PUBLIC_ID_LENGTH,
  SECRET_LENGTH,
  base62,
  base62BytesFor,
  composeKey,
  digestKey,
  parseKey,
} from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { v7 as newId } from 'uuid';
import { API_KEY_COLUMNS, type ApiKeyRow } from './api-key-row.js';
import type { MintedKey } from './dto/api-key.response.js';

/** What a new key can do, and where it comes from. */
export type KeyDraft = Pick<
  ApiKeyRow,
  'scope' | 'project_id' | 'agent_id' | 'role' | 'name' | 'expires_at' | 'created_by'
> & {
  rotated_from?: string;
};

const random = (length: number): string => base62(randomBytes(base62BytesFor(length)), length);

/** The text of a new key: 256 random bits behind a public id. */
export function newKeyText(scope: ScopeKind): string {
  return composeKey(scope, random(PUBLIC_ID_LENGTH), random(SECRET_LENGTH));
}

/** Strikes keys: makes the text, keeps its digest, and hands the text out once. */
@Injectable()
export class KeyMint {
  /** Writes a key with a given text, or a new one. */
  async strike(tx: Transaction, by: Performer, draft: KeyDraft, given?: string): Promise<MintedKey> {
    const secret = given ?? newKeyText(draft.scope);
    const publicId = parseKey(secret)?.publicId;
    if (publicId === undefined) throw new Error('a given key has to be well-formed');
    const { raw } = await tx.entities
      .createQueryBuilder()
      .insert()
      .into(ApiKey)
      .values({
        ...draft,
        tenant_id: tx.scope.tenantId,
        id: newId(),
        public_id: publicId,
        hint: secret.slice(-4),
        digest: digestKey(secret),
      })
      .returning(API_KEY_COLUMNS)
      .execute();
    const row = (raw as ApiKeyRow[])[0] as ApiKeyRow;
    const { scope, role, name, public_id, expires_at, rotated_from } = row;
    await recordAct(tx, by, {
      action: 'api_key.created',
      entityId: row.id,
      projectId: row.project_id,
      agentId: row.agent_id,
      after: {
        ...{ name, scope, role, public_id, expires_at },
        ...(rotated_from === null ? {} : { rotated_from }),
      },
    });
    return { row, secret };
  }
}
