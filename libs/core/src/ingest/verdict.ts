import type { IngestVerdict, ProblemCode } from '@agentflow/contracts';
import { boundedFaults, type DomainError } from '@agentflow/domain';

/** What became of one item. */
export interface Verdict {
  verdict: IngestVerdict;
  /** Why it was rejected. */
  code?: ProblemCode;
  /** Where the fault lies, within the item. */
  pointer?: string;
  detail?: string;
}

/** What an item that was kept did: it made something, changed something, or said nothing new. */
export type Effect = Exclude<IngestVerdict, 'rejected'>;

/** The verdict on what cannot be kept: the first fault tells where, within the bounds of what a problem tells. */
export function rejected({ code, detail, faults }: DomainError): Verdict {
  const [fault] = boundedFaults(faults?.slice(0, 1) ?? []);
  const said = fault?.detail ?? detail;
  return {
    verdict: 'rejected',
    code,
    ...(fault === undefined ? {} : { pointer: fault.pointer }),
    ...(said === undefined ? {} : { detail: said }),
  };
}
