import { RUN_STATUSES, type RunStatus } from '@agentflow/contracts';
import { ChoiceList } from '../../http/field-kinds.js';
import { PageQuery } from '../../http/page.js';
import { RunFilterFields } from './run-filter-fields.js';

export class ListRunsQuery extends RunFilterFields(PageQuery) {
  @ChoiceList({
    of: RUN_STATUSES,
    optional: true,
    description: 'Only runs in one of these statuses, comma-separated.',
  })
  status?: RunStatus[];
}
