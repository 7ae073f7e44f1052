import type { Stored } from '@agentflow/core';
import type { ProblemCode } from '@agentflow/contracts';
import { HttpCode, Res, SetMetadata, applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiResponse } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { fieldsOf, type DtoClass } from './field.js';
import { nothingUndeclared } from './nothing-undeclared.js';
import { wrapHandler, addArgument } from './wrap-handler.js';

/** A class of answers: it is shaped by hand from what the service returned. */
export interface AnswerClass<Result = never> {
  new (): object;
  of(result: Result): object;
}

export const PROBLEM_CODES = Symbol('problem codes');

/**
 * What a handler answers: the status and the class that shapes it, for the client and for the API page at once.
 * With 201 the service answers a `Stored` row, and one that was there already, under the id that the body may give,
 * makes the status 200.
 */
export function Answers(status: 200 | 201, type: AnswerClass, description: string): MethodDecorator {
  const shaped = (result: unknown): object => type.of(result as never);
  return applyDecorators(
    HttpCode(status),
    ApiResponse({ status, type, description }),
    ...(status === 201 ? [maybeKnown(type), storing(shaped)] : [shaping(shaped)]),
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

/** A handler that answers 200 with what there is, or 204 where it is undefined. */
export function AnswersIfAny(type: AnswerClass, description: string, nothing: string): MethodDecorator {
  return applyDecorators(
    HttpCode(200),
    ApiResponse({ status: 200, type, description }),
    ApiResponse({ status: 204, description: nothing }),
    withReply((result, reply) => {
      if (result !== undefined) return type.of(result as never);
      void reply.status(204);
      return undefined;
    }),
  );
}

/** How one of several kinds of answers is shaped, and what it says. */
interface AnswerKind {
  type: AnswerClass;
  description: string;
}

/** A handler that answers 202 with what it has `accepted` and will do later; with 200 what a `trial` of it came to. */
export function AnswersAccepted(accepted: AnswerKind, trial: AnswerKind): MethodDecorator {
  return applyDecorators(
    HttpCode(202),
    ApiResponse({ status: 202, ...accepted }),
    ApiResponse({ status: 200, ...trial }),
    withReply((result, reply) => {
      const asked = result as { accepted: unknown } | { trial: unknown };
      if ('accepted' in asked) return accepted.type.of(asked.accepted as never);
      void reply.status(200);
      return trial.type.of(asked.trial as never);
    }),
  );
}

interface StreamAnswer {
  description: string;
  /** When there is nothing to send any more, which is answered 204. */
  nothing?: string;
  /** What the ids of its events are like, as JSON Schema. */
  lastEventId: { pattern?: string; maxLength?: number };
}

/** A handler that sends a stream of events by itself. */
export function AnswersStream({ description, nothing, lastEventId }: StreamAnswer): MethodDecorator {
  const content = { 'text/event-stream': { schema: { type: 'string' } } };
  return applyDecorators(
    ApiResponse({ status: 200, description, content }),
    ...(nothing === undefined ? [] : [ApiResponse({ status: 204, description: nothing })]),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description:
        'The last id that was received: the stream goes on behind it. Browsers send it by themselves.',
      schema: { type: 'string', ...lastEventId },
    }),
    (target: object, name: string | symbol) => nothingUndeclared(target, name),
  );
}

/** A handler that opens a WebSocket, and sends by itself. */
export function AnswersWebSocket(description: string): MethodDecorator {
  return applyDecorators(ApiResponse({ status: 101, description }), (target: object, name: string | symbol) =>
    nothingUndeclared(target, name),
  );
}

/** What a handler does, in one sentence. */
export const Summary = (summary: string): MethodDecorator => ApiOperation({ summary });

/** The refusals that are particular to a handler; those that every handler shares are added to the API page. */
export const Refuses = (...codes: ProblemCode[]): MethodDecorator => SetMetadata(PROBLEM_CODES, codes);

function shaping(shaped: (result: unknown) => object | undefined): MethodDecorator {
  return (target, name, descriptor) => {
    nothingUndeclared(target, name);
    wrapHandler(
      descriptor,
      (handler) =>
        function (this: unknown, ...args) {
          const result = handler.apply(this, args);
          return result instanceof Promise ? result.then(shaped) : shaped(result);
        },
    );
  };
}

/** Tells a new row from a known one by the status. */
function storing(shaped: (row: unknown) => object): MethodDecorator {
  return withReply((result, reply) => {
    const { row, isNew } = result as Stored<unknown>;
    if (!isNew) void reply.status(200);
    return shaped(row);
  });
}

/** The reply comes as one argument more than the handler declares, for answers that differ in their status. */
function withReply(shaped: (result: unknown, reply: FastifyReply) => object | undefined): MethodDecorator {
  return (target, name, descriptor) => {
    const at = addArgument(Res({ passthrough: true }), target, name);
    nothingUndeclared(target, name);
    wrapHandler(
      descriptor,
      (handler) =>
        async function (this: unknown, ...args) {
          return shaped(await handler.apply(this, args), args[at] as FastifyReply);
        },
    );
  };
}

/** Documents the answer to what is there already, where the body may name it. */
function maybeKnown(type: AnswerClass): MethodDecorator {
  const description = 'It was there already, with the same content.';
  return (target, name, descriptor) => {
    const classes = Reflect.getMetadata('design:paramtypes', target, name) as DtoClass[];
    const takesAnId = classes.some((one) => fieldsOf(one).has('id'));
    if (takesAnId) ApiResponse({ status: 200, type, description })(target, name, descriptor);
  };
}
