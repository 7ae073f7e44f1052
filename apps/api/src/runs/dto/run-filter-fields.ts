import { AdapterName, Id, Text, Timestamp } from '../../http/field-kinds.js';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a class that is extended so has to take anything
type Class = new (...args: any[]) => object;

/** Adds to a class what runs are chosen by, but for the status: a query spells several otherwise than a body. */
export function RunFilterFields<Other extends Class>(other: Other) {
  class Fields extends other {
    @Id({ optional: true, description: 'Only runs of this project.' })
    project_id?: string;

    @Id({ optional: true, description: 'Only runs of this agent.' })
    agent_id?: string;

    @AdapterName({ optional: true, description: 'Only runs of this adapter.' })
    adapter?: string;

    @Text({ max: 256, min: 1, optional: true, description: 'Only runs of this session.' })
    session_id?: string;

    @Id({ optional: true, description: 'Only runs that this run started.' })
    parent_run_id?: string;

    @Timestamp({ optional: true, description: 'Only runs created after this moment.' })
    created_after?: string;

    @Timestamp({ optional: true, description: 'Only runs created before this moment.' })
    created_before?: string;

    @Text({ max: 128, min: 1, optional: true, description: 'Only runs that carry this tag.' })
    tag?: string;
  }
  return Fields;
}
