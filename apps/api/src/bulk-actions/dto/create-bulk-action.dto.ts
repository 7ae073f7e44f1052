import { BULK_ACTIONS, RUN_STATUSES, type BulkActionKind, type RunStatus } from '@agentflow/contracts';
import type { NewBulkAction } from '@agentflow/core';
import { Choice, Choices, Flag, Ids, Nested, Text } from '../../http/field-kinds.js';
import { RunFilterFields } from '../../runs/dto/run-filter-fields.js';

/** How many runs one request may name. */
const MOST_IDS = 1_000;

/** The filters of the list of runs. */
export class RunFilterDto extends RunFilterFields(class {}) {
  @Choices({ of: RUN_STATUSES, optional: true, description: 'Only runs in one of these statuses.' })
  status?: RunStatus[];
}

export class CreateBulkActionDto {
  @Choice({ of: BULK_ACTIONS, description: 'What is done to each of the runs.' })
  action: BulkActionKind;

  @Ids({ max: MOST_IDS, optional: true, description: 'The runs. Either these or `filter` has to be given.' })
  ids?: string[];

  @Nested(() => RunFilterDto, {
    optional: true,
    description:
      'Every run that was created until now and that the list of runs would show with these filters; at least one.',
  })
  filter?: RunFilterDto;

  @Flag({
    optional: true,
    description: 'Change nothing, and tell how many runs it would be. Default `false`.',
  })
  dry_run?: boolean;

  @Text({ max: 16_384, optional: true, description: 'Why, for `cancel` and `retry`.' })
  reason?: string;

  @Flag({ optional: true, description: 'For `delete`: active runs, too. Default `false`.' })
  force?: boolean;

  @Choice({
    of: ['none', 'recorded_tool_results'],
    optional: true,
    description: 'For `retry`: what whoever picks a run up is given of its source. Default `none`.',
  })
  reuse?: NewBulkAction['reuse'];
}
