import type { IngestVerdict, ProblemCode } from '@agentflow/contracts';
import type { DomainError } from '@agentflow/domain';

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

/** The verdict on what cannot be kept: the first fault tells where. */
export function rejected({ code, detail, faults }: DomainError): Verdict {
  const [fault] = faults ?? [];
  const said = fault?.detail ?? detail;
  return {
    verdict: 'rejected',
    code,
    ...(fault === undefined ? {} : { pointer: fault.pointer }),
    ...(said === undefined ? {} : { detail: said }),
  };
}
