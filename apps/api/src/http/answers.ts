import type { Stored } from '@agentflow/core';
import type { ProblemCode } from '@agentflow/contracts';
import { Injectable, SetMetadata, applyDecorators, type CallHandler, type ExecutionContext } from '@nestjs/common';
import type { NestInterceptor } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { map, type Observable } from 'rxjs';

/** A class of answers: it is shaped by hand from what the service returned. */
export interface AnswerClass<Result = never> {
  new (): object;
  of(result: Result): object;
}

interface AnswerRule {
  status: number;
  type: AnswerClass | undefined;
}

const ANSWER = Symbol('answer');
export const PROBLEM_CODES = Symbol('problem codes');

/**
 * What a handler answers: the status and the class that shapes it, for the client and for the API page at once.
 * With 201 the service answers a `Stored` row, and one that was there already makes the status 200.
 */
export function Answers(status: 200 | 201, type: AnswerClass, description: string): MethodDecorator {
  return applyDecorators(
    SetMetadata<symbol, AnswerRule>(ANSWER, { status, type }),
    ApiResponse({ status, type, description }),
    ...(status === 201
      ? [ApiResponse({ status: 200, type, description: 'It was there already, with the same content.' })]
      : []),
  );
}

/** A handler that answers 204 and nothing. */
export function AnswersNothing(description: string): MethodDecorator {
  return applyDecorators(
    SetMetadata<symbol, AnswerRule>(ANSWER, { status: 204, type: undefined }),
    ApiResponse({ status: 204, description }),
  );
}

/** What a handler does, in one sentence. */
export const Summary = (summary: string): MethodDecorator => ApiOperation({ summary });

/** The refusals that are particular to a handler; those that every handler shares are added to the API page. */
export const Refuses = (...codes: ProblemCode[]): MethodDecorator => SetMetadata(PROBLEM_CODES, codes);

/** Shapes what a handler returned, by its `@Answers`. */
@Injectable()
export class AnswerInterceptor implements NestInterceptor {
  constructor(private readonly reflector: Reflector) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const rule = this.reflector.get<AnswerRule | undefined>(ANSWER, context.getHandler());
    if (!rule) return next.handle();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return next.handle().pipe(map((result: unknown) => shape(rule, result, reply)));
  }
}

function shape({ status, type }: AnswerRule, result: unknown, reply: FastifyReply): object | undefined {
  if (!type) return void reply.status(status);
  if (status !== 201) {
    void reply.status(status);
    return type.of(result as never);
  }
  const { row, isNew } = result as Stored<unknown>;
  void reply.status(isNew ? 201 : 200);
  return type.of(row as never);
}
