import { ComparisonService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { ComparisonController } from './comparison.controller.js';

@Module({ controllers: [ComparisonController], providers: [ComparisonService] })
export class ComparisonModule {}
