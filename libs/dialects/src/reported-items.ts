import type { IngestItem } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';

/** An item whose payloads are texts. */
export type Item = IngestItem<RawJson>;

/** What could not be taken over, and why: `id` is what the reporter calls it. */
export interface Refusal {
  id: string;
  detail: string;
}

/** Why nothing of a request was read: it is malformed, or holds more than is decoded of one request. */
export interface Unread {
  ok: false;
  detail: string;
  isTooLarge?: boolean;
}

/** What the records of one run come to. Mapping the same records again gives the same items. */
export interface MappedRun {
  runId: string;
  /** An organization's key does not say which project a run belongs to; the reporter may name one. */
  projectName?: string;
  items: Item[];
  refused: Refusal[];
  /** How many records had nothing to do with an agent and were left out. */
  dropped?: number;
}
