import { AgentToolCallsService, ToolCallsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AgentToolCallsController } from './agent-tool-calls.controller.js';
import { ToolCallsController } from './tool-calls.controller.js';

@Module({
  controllers: [ToolCallsController, AgentToolCallsController],
  providers: [ToolCallsService, AgentToolCallsService],
})
export class ToolCallsModule {}
