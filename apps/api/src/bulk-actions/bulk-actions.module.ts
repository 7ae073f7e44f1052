import { BulkActionsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { BulkActionsController } from './bulk-actions.controller.js';

@Module({
  controllers: [BulkActionsController],
  providers: [BulkActionsService],
})
export class BulkActionsModule {}
