import { Module } from '@nestjs/common';
import { LimitsController } from './limits.controller.js';

@Module({ controllers: [LimitsController] })
export class LimitsModule {}
