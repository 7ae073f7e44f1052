import { Module } from '@nestjs/common';
import { AnsweredRequests } from '../http/answered-requests.js';
import { Metrics } from '../http/metrics.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({
  controllers: [HealthController],
  providers: [Readiness, Metrics, AnsweredRequests],
  exports: [Readiness, AnsweredRequests],
})
export class HealthModule {}
