import { Database, databaseFault, scopeId, type Transaction } from '@agentflow/database';
import { DomainError, canonicalJson, decodeUtf8, encodeJson } from '@agentflow/domain';
import type { FastifyReply } from 'fastify';
import { createHash } from 'node:crypto';
import type { AuthenticatedRequest, Caller } from '../access/caller.js';
import type { ReceivedBody } from '../http/read-request.pipe.js';
import { withheld } from '../http/secret.js';
import { founderUnder } from './founder.js';
import { find, type SettledClaim } from './sql/find-claim.js';
import { settle } from './sql/settle-claim.js';
import { take, type Claim } from './sql/take-claim.js';

const KEY = /^[\x20-\x7e]{1,255}$/;

/**
 * Carries out a POST with an `Idempotency-Key` once: the key, the effect and the answer are written in one
 * transaction, so a refusal or a crash leaves none of them and the request may be sent again. A repeat gets the
 * stored answer with `Idempotency-Replayed: true`, secrets withheld. Keys are apart for each scope.
 */
export class Idempotency {
  constructor(private readonly database: Database) {}

  /** `carryOut` gets the caller whose work joins the key's transaction. */
  async once(
    reply: FastifyReply,
    key: string | string[],
    carryOut: (caller: Caller) => Promise<unknown>,
  ): Promise<unknown> {
    if (typeof key !== 'string' || !KEY.test(key)) {
      throw new DomainError('invalid_request', {
        faults: [{ pointer: 'Idempotency-Key', detail: 'has to be 1 to 255 printable ASCII characters' }],
      });
    }
    const request = reply.request as AuthenticatedRequest;
    const caller =
      request.user.keyId === null
        ? { ...(await founderUnder(this.database, key)), requestId: request.id }
        : request.user;
    const claim = claimOf(request, caller, key);
    return this.database.transaction(caller, async (tx) => {
      if (!(await takeInTime(tx, claim))) return replay(reply, claim, await find(tx, claim));
      const answer = await carryOut({ ...caller, within: tx });
      await settle(tx, claim, reply.statusCode, answer === undefined ? null : encodeJson(withheld(answer)));
      return answer;
    });
  }
}

async function takeInTime(tx: Transaction, claim: Claim): Promise<boolean> {
  try {
    return await take(tx, claim);
  } catch (error) {
    if (databaseFault(error) === 'timeout') throw new DomainError('idempotency.in_progress');
    throw error;
  }
}

function replay(reply: FastifyReply, claim: Claim, settled: SettledClaim | undefined): unknown {
  if (!settled) throw new DomainError('idempotency.in_progress');
  if (
    settled.method !== claim.method ||
    settled.route !== claim.route ||
    !settled.request_digest.equals(claim.digest)
  ) {
    throw new DomainError('idempotency.key_reused');
  }
  void reply.status(settled.status).header('Idempotency-Replayed', 'true');
  return settled.response ?? undefined;
}

function claimOf(request: AuthenticatedRequest, caller: Caller, key: string): Claim {
  const path = request.url.split('?', 1)[0] as string;
  return {
    scopeId: scopeId(caller.scope),
    key,
    method: request.method,
    route: path.toLowerCase(),
    digest: createHash('sha256').update(meaningOf(request)).digest(),
  };
}

/** Up to here a body is compared by what it says; a larger one by its text, since sorting its names takes long. */
const COMPARED_BY_MEANING = 256 * 1024;

/** What the request says, whatever the spelling; what cannot be read is refused later and not pinned. */
function meaningOf(request: AuthenticatedRequest): string {
  const query = JSON.stringify(Object.entries(request.query as object).sort());
  const body = request.body as ReceivedBody | undefined;
  const text = body === undefined ? '{}' : (decodeUtf8(body.bytes) ?? '');
  if (text.length > COMPARED_BY_MEANING) return `${query}\n${text}`;
  try {
    return `${query}\n${canonicalJson(text)}`;
  } catch {
    return `${query}\n${text}`;
  }
}
