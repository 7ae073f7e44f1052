import { ApprovalsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { HealthModule } from '../health/health.module.js';
import { ApprovalsController } from './approvals.controller.js';
import { Patience } from './patience.js';
import { RunApprovalsController } from './run-approvals.controller.js';

@Module({
  imports: [HealthModule],
  controllers: [ApprovalsController, RunApprovalsController],
  providers: [ApprovalsService, Patience],
})
export class ApprovalsModule {}
