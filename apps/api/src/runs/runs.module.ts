import {
  CheckpointsService,
  MessagesService,
  RunCopiesService,
  RunsService,
  StepsService,
  ToolCallsService,
} from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { RunCopiesController } from './run-copies.controller.js';
import { RunMovesController } from './run-moves.controller.js';
import { RunQueries } from './run-queries.js';
import { RunsController } from './runs.controller.js';

@Module({
  imports: [AgentsModule],
  controllers: [RunsController, RunMovesController, RunCopiesController],
  providers: [
    RunsService,
    RunCopiesService,
    RunQueries,
    StepsService,
    MessagesService,
    ToolCallsService,
    CheckpointsService,
  ],
})
export class RunsModule {}
