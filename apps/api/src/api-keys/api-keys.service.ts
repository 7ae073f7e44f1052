import { recordAct, type Stored } from '@agentflow/core';
import { Database, violatedConstraint, type Slice, type Transaction } from '@agentflow/database';
import { DomainError, canMint, notFound, type KeyGrant, type MintRefusal } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import type { Caller } from '../access/caller.js';
import type { ApiKeyRow } from './api-key-row.js';
import type { CreateApiKeyDto } from './dto/api-key.dto.js';
import type { MintedKey } from './dto/api-key.response.js';
import { KeyMint } from './key-mint.js';
import {
  findApiKey,
  findHomeOf,
  holdOwnKey,
  listApiKeys,
  lockApiKey,
  seesProject,
} from './sql/find-api-keys.js';
import { letLinger, revoke, stopLingering } from './sql/revoke-api-keys.js';

const DEFAULT_GRACE_SECONDS = 86_400;

/** API keys: minted, rotated and revoked by keys that can do no less. */
@Injectable()
export class ApiKeysService {
  constructor(
    private readonly database: Database,
    private readonly mint: KeyMint,
  ) {}

  /** Mints a key that can do no more than the caller, sees no wider and lives no longer. */
  async create(caller: Caller, wanted: CreateApiKeyDto): Promise<Stored<MintedKey>> {
    return this.database.transaction(caller, async (tx) => {
      const grant = await this.grantOf(tx, wanted);
      const decision = canMint(await minterOf(tx, caller), grant);
      if (!decision.allowed) throw refusal(decision.reason);
      const { scope, projectId, agentId, role, expiresAt } = grant;
      const row = await this.mint.strike(tx, caller, {
        scope,
        project_id: projectId,
        agent_id: agentId,
        role,
        name: wanted.name,
        expires_at: expiresAt,
        created_by: caller.keyId,
      });
      return { row, isNew: true };
    });
  }

  async get(caller: Caller, id: string): Promise<ApiKeyRow> {
    const row = await this.database.transaction(caller, (tx) => findApiKey(tx, id));
    if (!row) throw notFound();
    return row;
  }

  async list(caller: Caller, slice: Slice): Promise<ApiKeyRow[]> {
    return this.database.transaction(caller, (tx) => listApiKeys(tx, slice));
  }

  /**
   * Gives a key a successor of the same rights. The old secret works on through its grace; one that was rotated
   * before it stops at once, so that two secrets live at most.
   */
  async rotate(caller: Caller, id: string, graceSeconds = DEFAULT_GRACE_SECONDS): Promise<Stored<MintedKey>> {
    try {
      return await this.database.transaction(caller, async (tx) => {
        const old = await lockApiKey(tx, id);
        if (!old) throw notFound();
        const minter = await minterOf(tx, caller);
        if (old.revoked_at !== null) throw new DomainError('key.revoked');
        const decision = canMint(minter, grantOfRow(caller, old));
        if (!decision.allowed) throw refusal(decision.reason);
        const { scope, project_id, agent_id, role, name, expires_at } = old;
        // Whoever is handed the secret answers for it: a key that rotates another is the one that minted the successor.
        const created_by = caller.keyId === id ? old.created_by : caller.keyId;
        const inherited = { scope, project_id, agent_id, role, name, expires_at, created_by };
        const row = await this.mint.strike(tx, caller, { ...inherited, rotated_from: id });
        await letLinger(tx, id, graceSeconds);
        await recordAct(tx, caller, {
          action: 'api_key.rotated',
          entityId: id,
          projectId: project_id,
          agentId: agent_id,
          after: { name, public_id: old.public_id, grace_seconds: graceSeconds, successor_id: row.row.id },
        });
        if (old.rotated_from !== null) await stopLingering(tx, old.rotated_from);
        return { row, isNew: true };
      });
    } catch (error) {
      if (violatedConstraint(error) === 'uq_api_keys_rotated_from')
        throw new DomainError('key.already_rotated');
      throw error;
    }
  }

  /** Revokes a key and what it minted. Its successor, when it was rotated, stays. */
  async revoke(caller: Caller, id: string): Promise<void> {
    await this.database.transaction(caller, async (tx) => {
      const key = await lockApiKey(tx, id);
      if (!key) throw notFound();
      const { allowed } = canMint({ ...grantOfCaller(caller), expiresAt: null }, grantOfRow(caller, key));
      if (!allowed) throw new DomainError('forbidden');
      for (const revoked of await revoke(tx, id)) {
        const { name, public_id } = revoked;
        await recordAct(tx, caller, {
          action: 'api_key.revoked',
          entityId: revoked.id,
          projectId: revoked.project_id,
          agentId: revoked.agent_id,
          after: { name, public_id, ...(revoked.id === id ? {} : { revoked_with: id }) },
        });
      }
    });
  }

  /** The grant that is asked for, with the target looked up: what the caller does not see does not exist. */
  private async grantOf(tx: Transaction, wanted: CreateApiKeyDto): Promise<KeyGrant> {
    const { scope, role } = wanted;
    const rights = { tenantId: tx.scope.tenantId, scope, role, expiresAt: wanted.expires_at ?? null };
    const none = { projectId: null, agentId: null };
    refuseStrayTarget(wanted);
    if (scope === 'organization') return { ...rights, ...none };
    if (scope === 'agent') {
      const projectId = await findHomeOf(tx, wanted.agent_id as string);
      if (projectId === undefined) throw notFound();
      return { ...rights, projectId, agentId: wanted.agent_id as string };
    }
    if (!(await seesProject(tx, wanted.project_id as string))) throw notFound();
    return { ...rights, projectId: wanted.project_id as string, agentId: null };
  }
}

/** Each scope names its own target and no other. */
function refuseStrayTarget({ scope, project_id, agent_id }: CreateApiKeyDto): void {
  const faults = [
    ...((scope === 'project') === (project_id !== undefined)
      ? []
      : [{ pointer: '/project_id', detail: 'belongs to a project key, and has to be given with it' }]),
    ...((scope === 'agent') === (agent_id !== undefined)
      ? []
      : [{ pointer: '/agent_id', detail: 'belongs to an agent key, and has to be given with it' }]),
  ];
  if (faults.length > 0) throw new DomainError('invalid_request', { faults });
}

function refusal(reason: MintRefusal): DomainError {
  return reason === 'target_outside'
    ? notFound()
    : new DomainError('key.wider_than_minter', { members: { reason } });
}

/** What the caller may hand on: no longer than he lives himself, and nothing once he is dead. */
async function minterOf(tx: Transaction, caller: Caller): Promise<KeyGrant> {
  const held = caller.keyId === null ? undefined : await holdOwnKey(tx, caller.keyId);
  if (!held) throw new DomainError('unauthenticated');
  return { ...grantOfCaller(caller), expiresAt: held.until };
}

function grantOfCaller({ scope, key }: Caller): KeyGrant {
  return {
    tenantId: scope.tenantId,
    scope: scope.kind,
    projectId: scope.projectId,
    agentId: scope.agentId,
    role: key?.role ?? 'viewer',
    expiresAt: key?.expiresAt ?? null,
  };
}

function grantOfRow(caller: Caller, row: ApiKeyRow): KeyGrant {
  return {
    tenantId: caller.scope.tenantId,
    scope: row.scope,
    projectId: row.project_id,
    agentId: row.agent_id,
    role: row.role,
    expiresAt: row.expires_at,
  };
}
