import type { RunStatus } from '@agentflow/contracts';
import type { Actor } from '@agentflow/database';

/** Where a run stands, as its holder is told. */
export interface LeaseStanding {
  status: RunStatus;
  /** Absent when the run has ended, and before it is started. */
  lease_expires_at: string | null;
}

/** That somebody holds the lease of the run that he writes to, and what he is told when that is so. */
export interface LeaseClaim {
  readonly token: string;
  /** Noted by the service, when the claim was found true. */
  standing?: LeaseStanding;
}

/** Who writes to a run. With a lease, he writes only as long as it is his, and each write prolongs it. */
export interface Reporter extends Actor {
  readonly lease?: LeaseClaim;
}

/** How a run ends whose holder was not heard of in time. */
export const LEASE_EXPIRED = {
  error: 'The lease has expired: its holder was not heard of in time.',
  error_type: 'lease_expired',
};
