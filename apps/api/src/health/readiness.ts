import { MigrationRefused, pendingMigrations } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';

/** How the schema stands: a newer one serves this version too, since migrations only add while both run. */
type Migrations = 'ok' | 'pending' | 'newer' | 'unknown';

/** What readiness depends on, and how each part stands. */
export interface ReadinessReport {
  ready: boolean;
  database: 'ok' | 'unavailable';
  migrations: Migrations;
  draining: boolean;
}

/** Balancers wait a few seconds; a database that is silent for so long is none. */
const PATIENCE_MS = 2_000;

/** However often anybody asks, the database is asked one question at a time, and two a second at most. */
const TRUST_MS = 500;

/** Whether this process may be sent requests. */
@Injectable()
export class Readiness {
  private readonly drain = new AbortController();
  private asked: { until: number; answer: Promise<Migrations> } | undefined;

  constructor(private readonly dataSource: DataSource) {}

  /** From now on the process answers that it is not ready, so that a balancer looks elsewhere. */
  startDraining(): void {
    this.drain.abort();
  }

  get isDraining(): boolean {
    return this.drain.signal.aborted;
  }

  /** Aborted when the process drains: who waits for something is to be answered now. */
  get draining(): AbortSignal {
    return this.drain.signal;
  }

  async report(): Promise<ReadinessReport> {
    const migrations = await this.migrations();
    return {
      ready: (migrations === 'ok' || migrations === 'newer') && !this.isDraining,
      database: migrations === 'unknown' ? 'unavailable' : 'ok',
      migrations,
      draining: this.isDraining,
    };
  }

  private migrations(): Promise<Migrations> {
    if (!this.asked || performance.now() > this.asked.until) {
      const asked = { until: Number.POSITIVE_INFINITY, answer: this.ask() };
      void asked.answer.then(() => (asked.until = performance.now() + TRUST_MS));
      this.asked = asked;
    }
    return this.asked.answer;
  }

  /** Never fails: whatever keeps the database from answering, the report is the answer. */
  private async ask(): Promise<Migrations> {
    const silence = new AbortController();
    try {
      return await Promise.race([
        this.compare(),
        delay(PATIENCE_MS, 'unknown' as const, { ref: false, signal: silence.signal }),
      ]);
    } catch {
      return 'unknown';
    } finally {
      silence.abort();
    }
  }

  private async compare(): Promise<Migrations> {
    try {
      return (await pendingMigrations(this.dataSource)).length === 0 ? 'ok' : 'pending';
    } catch (error) {
      if (error instanceof MigrationRefused) return 'newer';
      throw error;
    }
  }
}
