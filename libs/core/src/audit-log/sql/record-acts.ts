import { gathered, sql, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import { v7 as newId } from 'uuid';
import { actorOf, type Act, type Performer } from '../act.js';

const TOLD = `id, actor, key_id, action, entity_type, entity_id, project_id, agent_id, before, after, request_id`;
const GIVEN = `json_to_recordset($2) AS given (id uuid, actor text, key_id uuid, action text, entity_type text,
     entity_id uuid, project_id uuid, agent_id uuid, before jsonb, after jsonb, request_id uuid)`;

const recordOfKeys = sql<never>(
  'record-acts-of-keys',
  `INSERT INTO audit_log (tenant_id, ${TOLD}, key_public_id, key_name, key_role)
   SELECT $1, given.*, k.public_id, k.name, k.role FROM ${GIVEN}
   LEFT JOIN LATERAL (SELECT public_id, name, role FROM api_keys WHERE tenant_id = $1 AND id = given.key_id) k ON true`,
);

// The product by itself, or the operator: nobody's key.
const recordOfOthers = sql<never>(
  'record-acts-of-others',
  `INSERT INTO audit_log (tenant_id, ${TOLD}) SELECT $1, given.* FROM ${GIVEN}`,
);

interface Record {
  by: Performer;
  act: Act;
}

const record = gathered<Record, true>({
  writes: true,
  carryOut: async (tx, records) => {
    const rows = records.map(({ by, act }) => ({
      id: newId(),
      actor: actorOf(by),
      key_id: by.keyId,
      action: act.action,
      entity_type: act.action.slice(0, act.action.indexOf('.')),
      entity_id: act.entityId,
      project_id: act.projectId ?? null,
      agent_id: act.agentId ?? null,
      before: act.before ?? null,
      after: act.after ?? null,
      request_id: by.requestId ?? null,
    }));
    for (const [statement, some] of [
      [recordOfKeys, rows.filter(({ actor }) => actor === 'key')],
      [recordOfOthers, rows.filter(({ actor }) => actor !== 'key')],
    ] as const) {
      if (some.length > 0) await tx.run(statement, [tx.scope.tenantId, RawJson.trusted(encodeJson(some))]);
    }
    return records.map(() => true as const);
  },
});

/**
 * Writes down what somebody did, in the transaction that does it: both are committed, or neither. To be called once the act
 * is sure to have an effect, so that what changes nothing is not told, and before the actor's own key is deleted by it. Who
 * the key was is looked up now, and kept.
 */
export async function recordAct(tx: Transaction, by: Performer, act: Act): Promise<void> {
  await record(tx, { by, act });
}
