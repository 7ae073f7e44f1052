import { DomainError, notFound } from '@agentflow/domain';
import type { AnyPermission } from '@agentflow/contracts';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { ACCESS, type Access } from './allow.decorator.js';
import { ApiKeyStrategy } from './api-key.strategy.js';
import type { AuthenticatedRequest, Caller } from './caller.js';
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
    private readonly strategy: ApiKeyStrategy,
  ) {
    super({ defaultStrategy: strategy.ownName });
  }

  /** Decides at once about a caller who was proven a moment ago: a promise more is what every request would pay. */
  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.kind === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    const credential = credentialOf(request.raw.rawHeaders);
    const recalled = credential === undefined ? undefined : this.keys.recall(credential);
    if (recalled === undefined) return this.prove(context, request, access);
    request.user = { ...recalled, requestId: request.id };
    return isAllowed(recalled, access) || this.deny(request);
  }

  /** Lets a caller with the permission in before anything of a body is read; throws as the guard itself would. */
  async admit(request: AuthenticatedRequest, permission: AnyPermission): Promise<void> {
    request.user = await this.strategy.validate(request);
    if (!request.user.permissions.has(permission)) await this.deny(request);
  }

  private async prove(
    context: ExecutionContext,
    request: AuthenticatedRequest,
    access: Access | undefined,
  ): Promise<boolean> {
    await super.canActivate(context);
    return isAllowed(request.user, access) || this.deny(request);
  }

  private async deny({ user, params }: AuthenticatedRequest): Promise<never> {
    const seen = await this.visibility.sees(user, params as Record<string, string>);
    throw seen ? new DomainError('forbidden') : notFound();
  }
}

function isAllowed({ permissions }: Caller, access: Access | undefined): boolean {
  return access?.kind === 'permission' && permissions.has(access.permission);
}
