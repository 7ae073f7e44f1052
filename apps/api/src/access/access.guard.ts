import { DomainError, notFound } from '@agentflow/domain';
import { Injectable, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import { ACCESS, type Access } from './allow.decorator.js';
import type { AuthenticatedRequest } from './caller.js';
import { Visibility } from './visibility.js';

/**
 * Stands before every handler. In this order: a bad credential is 401; what is outside the scope or not there is
 * one 404; what is inside the scope but not in the role is 403.
 */
@Injectable()
export class AccessGuard extends AuthGuard('api-key') {
  constructor(
    private readonly reflector: Reflector,
    private readonly visibility: Visibility,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.kind === 'public') return true;
    await super.canActivate(context);
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (access && request.user.permissions.has(access.permission)) return true;
    throw await this.denial(request);
  }

  private async denial({ user, params }: AuthenticatedRequest): Promise<DomainError> {
    const seen = await this.visibility.sees(user, params as Record<string, string>);
    return seen ? new DomainError('forbidden') : notFound();
  }
}
