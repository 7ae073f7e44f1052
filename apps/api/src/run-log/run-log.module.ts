import { RunLog } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { EventStreams } from './event-streams.js';
import { RunEventsController } from './run-events.controller.js';

@Module({
  controllers: [RunEventsController],
  providers: [RunLog, EventStreams],
})
export class RunLogModule {}
