import type { LogEnd } from '@agentflow/core';
import { DomainError } from '@agentflow/domain';

/** Behind which event a client begins; refuses a number that the run's log does not have. */
export function beginning(end: LogEnd, after: number | undefined): number {
  if (after === undefined || after <= end.last_event_seq) return after ?? 0;
  throw badId(
    `The log of this run reaches to event ${end.last_event_seq}. Leave the id out to read it from the beginning.`,
  );
}

/** The id that a client got last; whoever comes again says it, and it outdoes where he began. */
export function lastSeen(header: string | string[] | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw badId('Last-Event-ID has to be the id of an event of this run.');
}

function badId(detail: string): DomainError {
  return new DomainError('invalid_request', { faults: [{ pointer: '?after', detail }] });
}
