import { EventFeed, ExecutionLog, LiveService, RunLog } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { ExecutionController } from './execution.controller.js';
import { LiveController } from './live.controller.js';
import { RunEventsController } from './run-events.controller.js';

@Module({
  imports: [HealthModule],
  controllers: [RunEventsController, ExecutionController, EventsController, LiveController],
  providers: [RunLog, ExecutionLog, EventFeed, LiveService, EventStreams],
})
export class RunLogModule {}
