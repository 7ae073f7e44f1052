import { Post, SetMetadata, UseInterceptors, applyDecorators } from '@nestjs/common';
import { IdempotencyInterceptor } from './idempotency.interceptor.js';

export const CARRIED_OUT_ONCE = Symbol('carried out once');

/** A POST, which like every other may carry an `Idempotency-Key`. A handler with a bare `@Post` does not boot. */
export function PostOnce(path?: string): MethodDecorator {
  return applyDecorators(
    Post(path),
    SetMetadata(CARRIED_OUT_ONCE, true),
    UseInterceptors(IdempotencyInterceptor),
  );
}
