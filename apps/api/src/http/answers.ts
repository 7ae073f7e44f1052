import type { Stored } from '@agentflow/core';
import type { ProblemCode } from '@agentflow/contracts';
import { HttpCode, Res, SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';

/** A class of answers: it is shaped by hand from what the service returned. */
export interface AnswerClass<Result = never> {
  new (): object;
  of(result: Result): object;
}

type Handler = (...args: unknown[]) => unknown;

export const PROBLEM_CODES = Symbol('problem codes');

/**
 * What a handler answers: the status and the class that shapes it, for the client and for the API page at once.
 * With 201 the service answers a `Stored` row, and one that was there already makes the status 200.
 *
 * It wraps the handler instead of being an interceptor: each interceptor costs as much as a third of an empty route
 * (RxJS), and every answer would pay for it.
 */
export function Answers(status: 200 | 201, type: AnswerClass, description: string): MethodDecorator {
  const shaped = (result: unknown): object => type.of(result as never);
  return applyDecorators(
    HttpCode(status),
    ApiResponse({ status, type, description }),
    ...(status === 201
      ? [
          ApiResponse({ status: 200, type, description: 'It was there already, with the same content.' }),
          storing(shaped),
        ]
      : [shaping(shaped)]),
  );
}

/** A handler that answers 204 and nothing. */
export function AnswersNothing(description: string): MethodDecorator {
  return applyDecorators(
    HttpCode(204),
    ApiResponse({ status: 204, description }),
    shaping(() => undefined),
  );
}

/** What a handler does, in one sentence. */
export const Summary = (summary: string): MethodDecorator => ApiOperation({ summary });

/** The refusals that are particular to a handler; those that every handler shares are added to the API page. */
export const Refuses = (...codes: ProblemCode[]): MethodDecorator => SetMetadata(PROBLEM_CODES, codes);

function shaping(shaped: (result: unknown) => object | undefined): MethodDecorator {
  return wrapping(
    (handler) =>
      async function (this: unknown, ...args) {
        return shaped(await handler.apply(this, args));
      },
  );
}

/** The reply comes as one argument more than the handler declares, to tell a new row from a known one. */
function storing(shaped: (row: unknown) => object): MethodDecorator {
  const wrap = wrapping(
    (handler) =>
      async function (this: unknown, ...args) {
        const reply = args.pop() as FastifyReply;
        const { row, isNew } = (await handler.apply(this, args)) as Stored<unknown>;
        if (!isNew) void reply.status(200);
        return shaped(row);
      },
  );
  return (target, name, descriptor) => {
    Res({ passthrough: true })(target, name, (descriptor.value as Handler).length);
    return wrap(target, name, descriptor);
  };
}

/** Puts a function in a handler's place, under its name; what other decorators have noted on it goes along. */
function wrapping(wrap: (handler: Handler) => Handler): MethodDecorator {
  return (_target, _name, descriptor) => {
    const handler = descriptor.value as Handler;
    const wrapped = Object.defineProperty(wrap(handler), 'name', { value: handler.name });
    for (const key of Reflect.getMetadataKeys(handler) as unknown[]) {
      Reflect.defineMetadata(key, Reflect.getMetadata(key, handler), wrapped);
    }
    descriptor.value = wrapped as never;
  };
}
