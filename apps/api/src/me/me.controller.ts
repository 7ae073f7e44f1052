import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Summary } from '../http/answers.js';
import { MeResponse } from './me.response.js';

@ApiTags('identity')
@Controller('v1/me')
export class MeController {
  @Summary('Says whose key this is and what it may do.')
  @Get()
  @Allow('identity:read')
  @Answers(200, MeResponse, 'The key and what it sees.')
  me(@CurrentCaller() caller: Caller): Caller {
    return caller;
  }
}
