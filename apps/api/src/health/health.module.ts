import { Module } from '@nestjs/common';
import { Metrics } from '../http/metrics.js';
import { HealthController } from './health.controller.js';
import { Readiness } from './readiness.js';

@Module({ controllers: [HealthController], providers: [Readiness, Metrics], exports: [Readiness, Metrics] })
export class HealthModule {}
