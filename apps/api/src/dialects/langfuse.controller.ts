import { Controller, Get, Inject, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Allow, Public } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { VERSION } from '../installation.js';

/** What Langfuse's clients ask beside reporting, which they do in OTLP. */
@ApiExcludeController()
@Controller('langfuse/api/public')
export class LangfuseController {
  constructor(@Inject(VERSION) private readonly version: string) {}

  /** Their check of a key: the project that it belongs to. */
  @Get('projects')
  @Allow('identity:read')
  projects(@CurrentCaller() { project, organization }: Caller, @Res() reply: FastifyReply): void {
    const { id, name } = project ?? organization ?? { id: '', name: '' };
    void reply.send({ data: [{ id, name, metadata: {} }] });
  }

  @Get('health')
  @Public('It says that somebody is here, as /livez does.')
  health(@Res() reply: FastifyReply): void {
    void reply.send({ status: 'OK', version: this.version });
  }
}
