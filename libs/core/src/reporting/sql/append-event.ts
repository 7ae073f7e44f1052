import type { RunEventType } from '@agentflow/contracts';
import { gathered, sql, type Transaction } from '@agentflow/database';
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

const appendToLog = sql<never>(
  'append-event',
  `INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
   SELECT $1, e.run_id, e.seq, e.type, e.entity_id, e.data, e.actor
   FROM json_to_recordset($2) AS e (run_id uuid, seq bigint, type text, entity_id uuid, data json,
     actor uuid)`,
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
  if (events.length > 0) await tx.run(appendToLog, [tx.scope.tenantId, RawJson.trusted(encodeJson(events))]);
}
