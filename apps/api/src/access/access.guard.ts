import { DomainError, notFound } from '@agentflow/domain';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { ACCESS, type Access } from './allow.decorator.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import type { AuthenticatedRequest } from './caller.js';
import { credentialOf } from './credential.js';
import { KeyRing } from './key-ring.js';
import { Visibility } from './visibility.js';

/**
 * Stands before every handler. In this order: a bad credential is 401; what is outside the scope or not there is
 * one 404; what is inside the scope but not in the role is 403.
 */
@Injectable()
export class AccessGuard extends AuthGuard() {
  constructor(
    private readonly reflector: Reflector,
    private readonly visibility: Visibility,
    private readonly keys: KeyRing,
    strategy: ApiKeyStrategy,
  ) {
    super({ defaultStrategy: strategy.ownName });
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const credential = credentialOf(request.raw.rawHeaders);
    const recalled = credential === undefined ? undefined : this.keys.recall(credential);
    if (recalled) request.user = recalled;
    else await super.canActivate(context);
    if (access && request.user.permissions.has(access.permission)) return true;
    throw await this.denial(request);
  }

  private async denial({ user, params }: AuthenticatedRequest): Promise<DomainError> {
    const seen = await this.visibility.sees(user, params as Record<string, string>);
    return seen ? new DomainError('forbidden') : notFound();
  }
}
