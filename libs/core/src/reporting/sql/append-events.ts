import type { RunEventType } from '@agentflow/contracts';
import { sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';

/** One entry of a run's log. */
export interface RunEvent {
  run_id: string;
  seq: number;
  type: RunEventType;
  entity_id: string;
  data: object;
}

const appendToLog = sql<never>(
  'append-events',
  `INSERT INTO run_events (tenant_id, run_id, seq, type, entity_id, data, actor)
   SELECT $1, e.run_id, e.seq, e.type, e.entity_id, e.data, $3
   FROM json_to_recordset($2) AS e (run_id uuid, seq bigint, type text, entity_id uuid, data json)`,
);

/** Writes events whose numbers were counted on from a held run's head. */
export async function appendEvents(
  tx: Transaction,
  events: readonly RunEvent[],
  keyId: string | null,
): Promise<void> {
  await tx.run(appendToLog, [tx.scope.tenantId, RawJson.trusted(encodeJson(events)), keyId]);
}
