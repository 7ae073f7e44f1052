import { IngestService, PriceBook, RunRegistration } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AgentsModule } from '../agents/agents.module.js';
import { IngestController } from './ingest.controller.js';

@Module({
  imports: [AgentsModule],
  controllers: [IngestController],
  providers: [IngestService, RunRegistration, PriceBook],
  exports: [IngestService],
})
export class IngestModule {}
