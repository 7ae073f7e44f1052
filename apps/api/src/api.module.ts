import { Followers, LiveRuns, type Configuration, type RunNews } from '@agentflow/core';
import { Database } from '@agentflow/database';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import type { Logger } from 'pino';
import { DataSource } from 'typeorm';
import { AccessGuard } from './access/access.guard.js';
import { AccessModule } from './access/access.module.js';
import { RootKey } from './access/api-key.strategy.js';
import { AgentsModule } from './agents/agents.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { BulkActionsModule } from './bulk-actions/bulk-actions.module.js';
import { CheckpointsModule } from './checkpoints/checkpoints.module.js';
import { ComparisonModule } from './comparison/comparison.module.js';
import { DialectsModule } from './dialects/dialects.module.js';
import { HealthModule } from './health/health.module.js';
import { ProblemFilter } from './http/problem.filter.js';
import { CONFIGURATION, LIMITS, LOG, VERSION, readVersion } from './installation.js';
import { IngestModule } from './ingest/ingest.module.js';
import { LimitsModule } from './limits/limits.module.js';
import { MeModule } from './me/me.module.js';
import { MessagesModule } from './messages/messages.module.js';
import { ModelPricesModule } from './model-prices/model-prices.module.js';
import { OrganizationsModule } from './organizations/organizations.module.js';
import { ProjectsModule } from './projects/projects.module.js';
import { RunLogModule } from './run-log/run-log.module.js';
import { RunsModule } from './runs/runs.module.js';
import { FirstOrganization } from './start/found-first-organization.js';
import { StepsModule } from './steps/steps.module.js';
import { ToolCallsModule } from './tool-calls/tool-calls.module.js';

/** What an api process is made of. */
export interface Installation {
  configuration: Configuration;
  dataSource: DataSource;
  database: Database;
  news: RunNews;
  log: Logger;
}

@Global()
@Module({})
class InstallationModule {
  static of({ configuration, dataSource, database, news, log }: Installation): DynamicModule {
    const providers = [
      { provide: CONFIGURATION, useValue: configuration },
      { provide: LIMITS, useValue: configuration.limits },
      { provide: LOG, useValue: log },
      { provide: VERSION, useValue: readVersion() },
      { provide: DataSource, useValue: dataSource },
      { provide: Database, useValue: database },
      { provide: Followers, useValue: news.followers },
      { provide: LiveRuns, useValue: news.liveRuns },
      { provide: RootKey, useValue: new RootKey(configuration.rootKey) },
    ];
    return { module: InstallationModule, providers, exports: providers };
  }
}

@Module({})
export class ApiModule {
  static of(installation: Installation): DynamicModule {
    const { log } = installation;
    return {
      module: ApiModule,
      imports: [
        InstallationModule.of(installation),
        AccessModule,
        HealthModule,
        MeModule,
        LimitsModule,
        OrganizationsModule,
        ApiKeysModule,
        ProjectsModule,
        AgentsModule,
        ModelPricesModule,
        RunsModule,
        RunLogModule,
        ComparisonModule,
        ApprovalsModule,
        AuditLogModule,
        BulkActionsModule,
        StepsModule,
        MessagesModule,
        ToolCallsModule,
        CheckpointsModule,
        IngestModule,
        DialectsModule,
      ],
      providers: [
        FirstOrganization,
        AccessGuard,
        { provide: APP_GUARD, useExisting: AccessGuard },
        { provide: APP_FILTER, useValue: new ProblemFilter(log) },
      ],
    };
  }
}
