import { ReceivedReports } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AdmissionModule } from '../admission/admission.module.js';
import { IngestModule } from '../ingest/ingest.module.js';
import { LangfuseController } from './langfuse.controller.js';
import { LangsmithController } from './langsmith.controller.js';
import { OpenaiController } from './openai.controller.js';
import { OtlpController } from './otlp.controller.js';
import { ReportDoors } from './report-doors.js';

/** The doors for agents that already report to somebody else. */
@Module({
  imports: [AdmissionModule, IngestModule],
  controllers: [OtlpController, LangsmithController, LangfuseController, OpenaiController],
  providers: [ReceivedReports, ReportDoors],
})
export class DialectsModule {}
