/** A work waited for its turn as long as it may wait for a lock. */
export class LaneBusy extends Error {}
