import { organizationScope, type Database } from '@agentflow/database';
import { AgentRegistry } from '../agents/agent-registry.js';
import { IngestService } from '../ingest/ingest.service.js';
import { RunRegistration } from '../ingest/run-registration.js';
import { PriceBook } from '../pricing/price-book.js';
import { ReceivedReports, type ReportDialect } from './received-reports.service.js';
import { findOutdatedRuns, type OutdatedRun } from './sql/received-reports.js';

const FIRST: OutdatedRun = {
  tenant_id: '00000000-0000-0000-0000-000000000000',
  run_id: '00000000-0000-0000-0000-000000000000',
};

/**
 * Applies the present mapping to everything that was received in a dialect and mapped by an earlier version, run by run, of
 * all tenants. It can be interrupted and repeated, and runs beside the product: each run is held while it is mapped.
 */
export async function mapAllAgain(
  databases: { app: Database; worker: Database },
  dialect: ReportDialect,
): Promise<number> {
  const { app, worker } = databases;
  const registration = new RunRegistration(new AgentRegistry());
  const reports = new ReceivedReports(new IngestService(app, registration, new PriceBook(app)));
  let count = 0;
  for (let after = FIRST; ;) {
    const runs = await findOutdatedRuns(worker, dialect.name, dialect.version, after);
    for (const { tenant_id, run_id } of runs) {
      await reports.mapAgain({ scope: organizationScope(tenant_id), keyId: null }, dialect, run_id);
      count++;
    }
    const last = runs.at(-1);
    if (!last) return count;
    after = last;
  }
}
