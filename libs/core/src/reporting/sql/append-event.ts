import type { RunEventType } from '@agentflow/contracts';
import { columns, gathered, rowsFrom, sql, type ColumnTypes, type Transaction } from '@agentflow/database';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { RunHead } from '../run-head.js';
import { nextXid } from './event-xid.js';

/** One entry of a run's log. */
export interface RunEvent {
  run_id: string;
  seq: number;
  /** The place of the run's last event before among those of all runs. */
  last_xid: number;
  type: RunEventType;
  entity_id: string;
  data: RawJson;
  /** The key that acted. */
  actor: string | null;
}

/** What an entry says. */
export interface Happening {
  type: RunEventType;
  entity_id: string;
  data?: object | undefined;
  actor: string | null;
}

const COLUMNS = {
  run_id: 'uuid',
  seq: 'bigint',
  last_xid: 'bigint',
  type: 'text',
  entity_id: 'uuid',
  data: 'json',
  actor: 'uuid',
} as const satisfies ColumnTypes;

const appendToLog = sql<never>(
  'append-event',
  `INSERT INTO run_events (tenant_id, run_id, seq, xid, type, entity_id, data, actor)
   SELECT $1, run_id, seq, ${nextXid('last_xid')}, type, entity_id, data, actor FROM ${rowsFrom(COLUMNS, 'e')}`,
);

/** The next entry of a held run's log, or one of the next. A batch makes thousands: member by member takes a fifth of the time. */
export function nextEntry(
  { id, last_event_seq, last_event_xid }: Pick<RunHead, 'id' | 'last_event_seq' | 'last_event_xid'>,
  { type, entity_id, data, actor }: Happening,
  ahead = 1,
): RunEvent {
  return {
    run_id: id,
    seq: last_event_seq + ahead,
    last_xid: last_event_xid,
    type,
    entity_id,
    data: data === undefined ? NOTHING : RawJson.trusted(encodeJson(data)),
    actor,
  };
}

const NOTHING = RawJson.trusted('{}');

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
  await tx.run(appendToLog, [tx.scope.tenantId, ...columns(COLUMNS, events)]);
}
