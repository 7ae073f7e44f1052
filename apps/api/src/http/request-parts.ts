import { Body as NestBody, Param as NestParam, Query as NestQuery } from '@nestjs/common';
import { ReadRequestPipe } from './read-request.pipe.js';

/*
 * The parts of a request that a handler declares, each read by the pipe. The pipe is no global one: Nest would lead
 * every argument through it, those of our own decorators (the caller) too, at three promises each.
 */

/** The body, read as its DTO declares. */
export const Body = (): ParameterDecorator => NestBody(ReadRequestPipe);

/** A part of the path: an id, or a number where the argument is one. */
export const Param = (name: string): ParameterDecorator => NestParam(name, ReadRequestPipe);

/** The query, read as its DTO declares. */
export const Query = (): ParameterDecorator => NestQuery(ReadRequestPipe);
