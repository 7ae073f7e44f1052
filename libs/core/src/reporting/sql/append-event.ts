import type { RunEventType } from '@agentflow/contracts';
import { columns, gathered, rowsFrom, sql, type ColumnTypes, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';

/** One entry of a run's log. */
export interface RunEvent {
  run_id: string;
  seq: number;
  type: RunEventType;
  entity_id: string;
  data: object;
  /** The key that acted. */
  actor: string | null;
}

const COLUMNS = {
  run_id: 'uuid',
  seq: 'bigint',
  type: 'text',
  entity_id: 'uuid',
  data: 'json',
  actor: 'uuid',
} as const satisfies ColumnTypes;

const appendToLog = sql<never>(
  'append-event',
  `INSERT INTO run_events (tenant_id, ${Object.keys(COLUMNS).join(', ')})
   SELECT $1, ${Object.keys(COLUMNS).join(', ')} FROM ${rowsFrom(COLUMNS, 'e')}`,
);

/** Writes an event whose number was counted on from a held run's head. */
export const appendEvent = gathered<RunEvent, true>({
  writes: true,
  carryOut: async (tx, events) => {
    await appendEvents(tx, events);
    return events.map(() => true as const);
  },
});

/** The same for many at once. */
export async function appendEvents(tx: Transaction, events: readonly RunEvent[]): Promise<void> {
  if (events.length === 0) return;
  for (const { run_id } of events) tx.touch(run_id);
  const rows = events.map((event) => ({ ...event, data: RawJson.trusted(encodeJson(event.data)) }));
  await tx.run(appendToLog, [tx.scope.tenantId, ...columns(COLUMNS, rows)]);
}
