import type { Limits } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { LIMITS } from '../installation.js';
import { Admission } from './admission.js';
import { MemoryBudget } from './memory-budget.js';

@Module({
  providers: [
    Admission,
    {
      provide: MemoryBudget,
      useFactory: ({ inFlightBytes }: Limits) => new MemoryBudget(inFlightBytes),
      inject: [LIMITS],
    },
  ],
  exports: [Admission],
})
export class AdmissionModule {}
