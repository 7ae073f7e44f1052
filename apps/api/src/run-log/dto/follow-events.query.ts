import { RUN_EVENT_TYPES, type RunEventType } from '@agentflow/contracts';
import { ChoiceList, Id, Text } from '../../http/field-kinds.js';

export class FollowEventsQuery {
  @Text({
    max: 1024,
    min: 1,
    optional: true,
    description:
      'Go on behind this id of the stream; without it the stream begins now. The header `Last-Event-ID` outdoes it.',
  })
  after?: string;

  @Id({ optional: true, description: 'Only of runs of this project.' })
  project_id?: string;

  @Id({ optional: true, description: 'Only of runs of this agent.' })
  agent_id?: string;

  @ChoiceList({ of: RUN_EVENT_TYPES, optional: true, description: 'Only of these types, comma-separated.' })
  type?: RunEventType[];
}
