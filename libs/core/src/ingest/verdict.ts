import type { IngestVerdict, ProblemCode } from '@agentflow/contracts';

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
