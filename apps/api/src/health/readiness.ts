import { pendingMigrations } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';

/** What readiness depends on, and how each part stands. */
export interface ReadinessReport {
  ready: boolean;
  database: 'ok' | 'unavailable';
  migrations: 'ok' | 'pending' | 'unknown';
  draining: boolean;
}

/** Whether this process may be sent requests. */
@Injectable()
export class Readiness {
  private isDraining = false;

  constructor(private readonly dataSource: DataSource) {}

  /** From now on the process answers that it is not ready, so that a balancer looks elsewhere. */
  startDraining(): void {
    this.isDraining = true;
  }

  async report(): Promise<ReadinessReport> {
    const migrations = await this.migrations();
    const database = migrations === 'unknown' ? 'unavailable' : 'ok';
    return {
      ready: migrations === 'ok' && !this.isDraining,
      database,
      migrations,
      draining: this.isDraining,
    };
  }

  private async migrations(): Promise<ReadinessReport['migrations']> {
    try {
      return (await pendingMigrations(this.dataSource)).length === 0 ? 'ok' : 'pending';
    } catch {
      return 'unknown'; // Whatever keeps the database from answering: the report is the answer.
    }
  }
}
