import { RUN_STATUSES, type RunStatus } from '@agentflow/contracts';
import { AdapterName, ChoiceList, Id, Text, Timestamp } from '../../http/field-kinds.js';
import { PageQuery } from '../../http/page.js';

export class ListRunsQuery extends PageQuery {
  @Id({ optional: true, description: 'Only runs of this project.' })
  project_id?: string;

  @Id({ optional: true, description: 'Only runs of this agent.' })
  agent_id?: string;

  @ChoiceList({
    of: RUN_STATUSES,
    optional: true,
    description: 'Only runs in one of these statuses, comma-separated.',
  })
  status?: RunStatus[];

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
