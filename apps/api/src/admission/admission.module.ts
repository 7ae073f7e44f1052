import { Module } from '@nestjs/common';
import { Admission } from './admission.js';

@Module({ providers: [Admission], exports: [Admission] })
export class AdmissionModule {}
