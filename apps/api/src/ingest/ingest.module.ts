import { IngestService, RunRegistration } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { AgentsModule } from '../agents/agents.module.js';
import { IngestController } from './ingest.controller.js';

@Module({
  imports: [AdmissionModule, AgentsModule],
  controllers: [IngestController],
  providers: [IngestService, RunRegistration],
  exports: [IngestService],
})
export class IngestModule {}
