import type { AnyPermission } from '@agentflow/contracts';
import { SetMetadata } from '@nestjs/common';

/** What a handler asks of its caller. */
export type Access = { kind: 'permission'; permission: AnyPermission } | { kind: 'public'; reason: string };

export const ACCESS = Symbol('access');

/** Who may call this handler. A handler without it does not boot. */
export const Allow = (permission: AnyPermission): MethodDecorator =>
  SetMetadata<symbol, Access>(ACCESS, { kind: 'permission', permission });

/** A handler that answers anybody, with the reason why that is harmless. */
export const Public = (reason: string): MethodDecorator =>
  SetMetadata<symbol, Access>(ACCESS, { kind: 'public', reason });
