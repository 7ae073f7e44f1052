import { v7 as newId } from 'uuid';
import { Injectable, UnauthorizedException, type OnModuleDestroy } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import passport from 'passport';
import { Strategy } from 'passport-custom';
import { operator, type Caller } from './caller.js';
import { credentialOf } from './credential.js';
import { KeyRing } from './key-ring.js';

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The operator's key, when one is configured; kept as a digest. */
export class RootKey {
  private readonly digest: Buffer | undefined;

  constructor(key: string | undefined) {
    this.digest = key === undefined ? undefined : sha256(key);
  }

  opens(credential: string): boolean {
    return this.digest !== undefined && timingSafeEqual(this.digest, sha256(credential));
  }
}

/** Proves who is calling, by API key or by the operator's root key. Every bad credential gets the same 401. */
@Injectable()
export class ApiKeyStrategy extends PassportStrategy(Strategy, 'api-key') implements OnModuleDestroy {
  /**
   * Passport knows strategies by their name, in one registry for the process: under one name, the api that was started
   * last would answer for all of them, with its own database and root key.
   */
  readonly ownName = `api-key ${randomUUID()}`;

  constructor(
    private readonly keys: KeyRing,
    private readonly rootKey: RootKey,
  ) {
    super();
    passport.use(this.ownName, this);
  }

  onModuleDestroy(): void {
    passport.unuse(this.ownName);
  }

  async validate(request: FastifyRequest): Promise<Caller> {
    const credential = credentialOf(request.raw.rawHeaders);
    if (credential === undefined) throw new UnauthorizedException();
    const holder = credential.startsWith('af_') ? await this.keys.holderOf(credential) : undefined;
    if (holder) return { ...holder, requestId: request.id };
    // The operator acts in the organization that he is about to found.
    if (this.rootKey.opens(credential)) return { ...operator(newId()), requestId: request.id };
    throw new UnauthorizedException();
  }
}
