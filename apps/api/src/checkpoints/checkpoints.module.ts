import { CheckpointsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { CheckpointsController } from './checkpoints.controller.js';

@Module({ controllers: [CheckpointsController], providers: [CheckpointsService] })
export class CheckpointsModule {}
