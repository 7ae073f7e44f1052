import { gathered, sql } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { rowOfEach } from '../../reporting/row-of-each.js';
import type { CheckpointRow } from '../checkpoint-row.js';

export const CHECKPOINT_SUMMARY_COLUMNS = 'id, run_id, index, label, step_id, state_bytes, at, created_at';

const insertCheckpoints = sql<CheckpointRow>(
  'insert-checkpoints',
  `INSERT INTO checkpoints (tenant_id, run_id, id, index, label, step_id, state, state_bytes)
   SELECT $1, run_id, id, index, label, step_id, coalesce(state, 'null'), state_bytes
   FROM json_to_recordset($2) AS c (run_id uuid, id uuid, index integer, label text, step_id uuid, state json,
     state_bytes integer)
   RETURNING ${CHECKPOINT_SUMMARY_COLUMNS}, state`,
);

/**
 * Writes a checkpoint of a held run; an id written meanwhile violates `pk_checkpoints`, which repeats the
 * transaction. A state of `null` leaves the record set as no value at all, and is a state all the same.
 */
export const writeCheckpoint = gathered<Omit<CheckpointRow, 'created_at'>, CheckpointRow>({
  writes: true,
  carryOut: async (tx, checkpoints) => {
    const rows = await tx.rows(insertCheckpoints, [
      tx.scope.tenantId,
      RawJson.trusted(encodeJson(checkpoints)),
    ]);
    return rowOfEach(checkpoints, rows) as CheckpointRow[];
  },
});
