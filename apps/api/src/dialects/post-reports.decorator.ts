import { Patch, Post, SetMetadata, applyDecorators } from '@nestjs/common';
import { WideBody, type RefusalForm } from '../http/wide-body.js';
import { CARRIED_OUT_ONCE } from '../idempotency/post-once.decorator.js';

/**
 * A door for what other reporters send. They know nothing of an `Idempotency-Key`, and need none: a report names what it
 * tells of, and sent again it changes nothing.
 */
export function PostReports(path: string | string[], refusesIn: RefusalForm = 'problem'): MethodDecorator {
  return applyDecorators(Post(path), SetMetadata(CARRIED_OUT_ONCE, true), WideBody('runs:report', refusesIn));
}

export function PatchReports(path: string): MethodDecorator {
  return applyDecorators(Patch(path), WideBody('runs:report'));
}
