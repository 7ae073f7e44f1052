import { RunsService } from '@agentflow/core';
import { Controller } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Allow } from '../access/allow.decorator.js';
import { CurrentCaller, type Caller } from '../access/caller.js';
import { Answers, Refuses, Summary } from '../http/answers.js';
import { Body, Param } from '../http/request-parts.js';
import { PostOnce } from '../idempotency/post-once.decorator.js';
import { UnderLease } from './under-lease.decorator.js';
import {
  CancelRunDto,
  FailRunDto,
  HeartbeatDto,
  ResumeRunDto,
  StartRunDto,
  SucceedRunDto,
  WaitRunDto,
} from './dto/move-run.dto.js';
import { HeartbeatResponse, HeldRunResponse, RunResponse } from './dto/run.response.js';

const MOVED = 'The run as it is now. The same move with the same content again answers the same.';

@ApiTags('runs')
@Controller('v1/runs/:run_id')
export class RunMovesController {
  constructor(private readonly runs: RunsService) {}

  @UnderLease()
  @Summary('Starts a pending run.')
  @PostOnce('start')
  @Allow('runs:report')
  @Answers(200, HeldRunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.deleted')
  start(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: StartRunDto) {
    return this.runs.move(caller, id, 'start', body);
  }

  @UnderLease()
  @Summary('Pauses a running run until people have decided what it asks.')
  @PostOnce('wait')
  @Allow('runs:report')
  @Answers(200, RunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.deleted')
  wait(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: WaitRunDto) {
    return this.runs.move(caller, id, 'wait', body);
  }

  @UnderLease()
  @Summary('Lets a waiting run go on, with the answer that it waited for.')
  @PostOnce('resume')
  @Allow('runs:control')
  @Answers(200, RunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.approvals_open', 'run.deleted')
  resume(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: ResumeRunDto) {
    return this.runs.move(caller, id, 'resume', body);
  }

  @UnderLease()
  @Summary('Ends a run well.')
  @PostOnce('succeed')
  @Allow('runs:report')
  @Answers(200, RunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.deleted')
  succeed(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: SucceedRunDto) {
    return this.runs.move(caller, id, 'succeed', body);
  }

  @UnderLease()
  @Summary('Ends a run badly; what is still open below it fails with it.')
  @PostOnce('fail')
  @Allow('runs:report')
  @Answers(200, RunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.deleted')
  fail(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: FailRunDto) {
    return this.runs.move(caller, id, 'fail', body);
  }

  @UnderLease()
  @Summary('Calls a run off; what is still open below it is cancelled with it.')
  @PostOnce('cancel')
  @Allow('runs:control')
  @Answers(200, RunResponse, MOVED)
  @Refuses('run.transition_refused', 'run.deleted')
  cancel(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: CancelRunDto) {
    return this.runs.move(caller, id, 'cancel', body);
  }

  @Summary('Prolongs the lease of the holder, and tells whether to stop.')
  @PostOnce('heartbeat')
  @Allow('runs:report')
  @Answers(200, HeartbeatResponse, 'Where the run stands.')
  @Refuses('run.lease_lost', 'run.deleted')
  heartbeat(@CurrentCaller() caller: Caller, @Param('run_id') id: string, @Body() body: HeartbeatDto) {
    return this.runs.heartbeat(caller, id, body.lease_token);
  }
}
