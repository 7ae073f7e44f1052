import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { Injectable } from '@nestjs/common';
import type { Pool } from 'pg';
import { Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client';
import { DataSource } from 'typeorm';
import { Figures } from '../start/primary.js';

/** What is told to Prometheus: requests by route, connections, and the runtime's own figures. */
@Injectable()
export class Metrics {
  private readonly registry = new Registry();
  private readonly figures = new Figures(this.registry);
  private readonly requests = new Histogram({
    name: 'agentflow_http_request_seconds',
    help: 'Time to answer a request, by route pattern.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor(dataSource: DataSource) {
    collectDefaultMetrics({ register: this.registry });
    const help = 'Processes that serve the API.';
    new Gauge({ name: 'agentflow_api_processes', help, registers: [this.registry] }).set(1);
    const pool = (): Pool => (dataSource.driver as PostgresDriver).master as Pool;
    new Gauge({
      name: 'agentflow_database_connections',
      help: 'Connections of the pool, by state; `waiting` counts requests that have none.',
      labelNames: ['state'],
      registers: [this.registry],
      collect() {
        const { totalCount, idleCount, waitingCount } = pool();
        this.set({ state: 'busy' }, totalCount - idleCount);
        this.set({ state: 'idle' }, idleCount);
        this.set({ state: 'waiting' }, waitingCount);
      },
    });
  }

  text(): Promise<string> {
    return this.figures.text();
  }

  /** Counts a request that took so many seconds from its first byte to the end of the answer. */
  count(labels: { method: string; route: string; status: number }, seconds: number): void {
    this.requests.observe(labels, seconds);
  }
}
