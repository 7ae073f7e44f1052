import type { Limits } from '@agentflow/core';
import { Controller, Get, Inject } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { Answers, Summary } from '../http/answers.js';
import { LIMITS } from '../installation.js';
import { LimitsResponse } from './limits.response.js';

@ApiTags('identity')
@Controller('v1/limits')
export class LimitsController {
  constructor(@Inject(LIMITS) private readonly limits: Limits) {}

  @Summary('Says how much is taken at once. Beyond a limit a request is refused, and never cut.')
  @Get()
  @Allow('identity:read')
  @Answers(200, LimitsResponse, 'The limits of this installation.')
  show(): Limits {
    return this.limits;
  }
}
