import type { Role } from '@agentflow/contracts';
import { Database, sql, type Scope } from '@agentflow/database';
import { PUBLIC_ID_LENGTH, digestKey, parseKey } from '@agentflow/domain';
import { Injectable } from '@nestjs/common';
import { timingSafeEqual } from 'node:crypto';
import { permissionsOf, type Caller } from './caller.js';

/** A key as `authenticate_key()` answers it. */
interface KeyRow {
  tenant_id: string;
  key_id: string;
  public_id: string;
  digest: Buffer;
  scope: Scope['kind'];
  project_id: string | null;
  agent_id: string | null;
  role: Role;
  expires_at: string | null;
  live: boolean;
  organization_name: string;
  organization_slug: string;
  project_name: string | null;
  agent_name: string | null;
}

interface KnownKey {
  digest: Buffer;
  caller: Caller;
  /** The credential that was found right: comparing it again costs a tenth of hashing it again. */
  proven?: string;
}

interface Entry {
  /** When the look-up began: what it answers is at least this old. */
  askedAt: number;
  found: Promise<KnownKey | undefined>;
  /** What was found, once it is there. */
  known?: KnownKey;
}

const authenticateKey = sql<KeyRow>('authenticate-key', 'SELECT * FROM authenticate_key($1)');
const touchKeys = sql<never>('touch-keys', 'SELECT touch_keys($1)');

/** How long a look-up is trusted: with it, a revoked key stops within one second everywhere. */
const TRUST_MS = 500;
const MAX_ENTRIES = 10_000;

/** Behind the prefix, such as `af_org_`, which is as long for every scope. */
const PUBLIC_ID_AT = 7;

/**
 * Who holds which key. The database decides; what it said is kept for half a second, counted from the question and
 * never prolonged, so that a busy key costs two look-ups a second (`GET /v1/me`: see test/load).
 */
@Injectable()
export class KeyRing {
  private readonly entries = new Map<string, Entry>();
  private readonly used = new Set<string>();

  constructor(private readonly database: Database) {}

  /** The holder of a key; `undefined` for a malformed, unknown, wrong, revoked or expired one. */
  async holderOf(credential: string): Promise<Caller | undefined> {
    const parsed = parseKey(credential);
    if (!parsed) return undefined;
    const known = await this.lookUp(parsed.publicId);
    if (!known || !isProof(known, credential)) return undefined;
    this.used.add(parsed.publicId);
    return known.caller;
  }

  /**
   * The holder of a key that was proven within the last half second; `undefined` says nothing about the key. A busy
   * key is so taken through the whole proof twice a second, and not with every request.
   */
  recall(credential: string): Caller | undefined {
    const entry = this.entries.get(credential.slice(PUBLIC_ID_AT, PUBLIC_ID_AT + PUBLIC_ID_LENGTH));
    if (!entry?.known || performance.now() - entry.askedAt >= TRUST_MS) return undefined;
    return wasProven(entry.known, credential) ? entry.known.caller : undefined;
  }

  /** Writes down which keys were used since the last call; the database keeps it to one write a key and minute. */
  async recordUse(): Promise<void> {
    if (this.used.size === 0) return;
    const used = [...this.used];
    this.used.clear();
    await this.database.unscoped(touchKeys, [used]);
  }

  private lookUp(publicId: string): Entry['found'] {
    const now = performance.now();
    const known = this.entries.get(publicId);
    if (known && now - known.askedAt < TRUST_MS) return known.found;
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
    const entry: Entry = { askedAt: now, found: this.ask(publicId) };
    this.entries.set(publicId, entry);
    entry.found.then(
      (known) => {
        if (known) entry.known = known;
      },
      // A failed look-up is not remembered: the next request asks again.
      () => this.entries.get(publicId) === entry && this.entries.delete(publicId),
    );
    return entry.found;
  }

  private async ask(publicId: string): Promise<KnownKey | undefined> {
    const [row] = await this.database.unscoped(authenticateKey, [publicId]);
    return row?.live ? { digest: row.digest, caller: callerOf(row) } : undefined;
  }
}

/** Compares in constant time, whichever comparison it is. */
function isProof(known: KnownKey, credential: string): boolean {
  if (wasProven(known, credential)) return true;
  if (!timingSafeEqual(known.digest, digestKey(credential))) return false;
  known.proven = credential;
  return true;
}

/** Looks at every character, whichever is the first to differ; on buffers it would take four times as long. */
function wasProven({ proven }: KnownKey, given: string): boolean {
  if (proven?.length !== given.length) return false;
  let difference = 0;
  for (let i = 0; i < given.length; i++) difference |= proven.charCodeAt(i) ^ given.charCodeAt(i);
  return difference === 0;
}

function callerOf(row: KeyRow): Caller {
  const scope = {
    kind: row.scope,
    tenantId: row.tenant_id,
    projectId: row.project_id,
    agentId: row.agent_id,
  } as Scope;
  return {
    scope,
    keyId: row.key_id,
    key: { id: row.key_id, publicId: row.public_id, role: row.role, expiresAt: row.expires_at },
    permissions: permissionsOf(row.role, row.scope),
    organization: { id: row.tenant_id, name: row.organization_name, slug: row.organization_slug },
    project: row.project_id === null ? undefined : { id: row.project_id, name: row.project_name ?? '' },
    agent: row.agent_id === null ? undefined : { id: row.agent_id, name: row.agent_name ?? '' },
  };
}
