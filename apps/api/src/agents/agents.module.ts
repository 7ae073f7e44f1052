import { AgentDeletion, AgentRegistry, AgentsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AgentVersionsController } from './agent-versions.controller.js';
import { AgentsController } from './agents.controller.js';

@Module({
  controllers: [AgentsController, AgentVersionsController],
  providers: [AgentsService, AgentRegistry, AgentDeletion],
  exports: [AgentRegistry, AgentDeletion],
})
export class AgentsModule {}
