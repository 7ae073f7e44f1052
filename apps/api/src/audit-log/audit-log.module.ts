import { AuditLog } from '@agentflow/core';
import { Module } from '@nestjs/common';
import { AuditLogController } from './audit-log.controller.js';

@Module({ controllers: [AuditLogController], providers: [AuditLog] })
export class AuditLogModule {}
