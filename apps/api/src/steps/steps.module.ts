import { StepsService } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { StepsController } from './steps.controller.js';

@Module({ controllers: [StepsController], providers: [StepsService] })
export class StepsModule {}
