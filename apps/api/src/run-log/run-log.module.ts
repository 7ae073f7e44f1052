import { ExecutionLog, RunLog } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { EventStreams } from './event-streams.js';
import { ExecutionController } from './execution.controller.js';
import { RunEventsController } from './run-events.controller.js';

@Module({
  imports: [HealthModule],
  controllers: [RunEventsController, ExecutionController],
  providers: [RunLog, ExecutionLog, EventStreams],
})
export class RunLogModule {}
