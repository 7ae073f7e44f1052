import { EventFeed, ExecutionLog, RunLog } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { EventStreams } from './event-streams.js';
import { EventsController } from './events.controller.js';
import { ExecutionController } from './execution.controller.js';
import { RunEventsController } from './run-events.controller.js';

@Module({
  imports: [HealthModule],
  controllers: [RunEventsController, ExecutionController, EventsController],
  providers: [RunLog, ExecutionLog, EventFeed, EventStreams],
})
export class RunLogModule {}
