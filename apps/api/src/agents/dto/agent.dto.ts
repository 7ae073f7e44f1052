import type { RawJson } from '@agentflow/domain';
import { AdapterName, Id, Integer, JsonObject, Name, Text } from '../../http/field-kinds.js';
import { PageQuery } from '../../http/page.js';

export class CreateAgentDto {
  @Id({ description: 'The project that the agent belongs to.' })
  project_id: string;

  @Name({ description: 'Unique in the organization, case-sensitive.', example: 'researcher' })
  name: string;

  @AdapterName({ description: 'What runs the agent, such as `langgraph`, `openai-agents` or `custom`.' })
  adapter: string;

  @JsonObject({
    optional: true,
    description: 'The definition of the agent, in whatever form its adapter has.',
  })
  config?: RawJson;

  @Text({ max: 1024, optional: true, nullable: true, description: 'What the agent is for.' })
  description?: string | null;
}

export class ChangeAgentDto {
  @Name({ optional: true, description: 'A new name. It makes no new version.' })
  name?: string;

  @AdapterName({ optional: true, description: 'A new adapter. A different one makes a new version.' })
  adapter?: string;

  @JsonObject({
    optional: true,
    description: 'A new config, in full. One of different content makes a new version.',
  })
  config?: RawJson;

  @Text({ max: 1024, optional: true, nullable: true, description: 'A new description; `null` clears it.' })
  description?: string | null;

  @Text({
    max: 512,
    optional: true,
    description: 'A note on the new version; without a new version it is not kept.',
  })
  note?: string;
}

export class ListAgentsQuery extends PageQuery {
  @Id({ optional: true, description: 'Only the agents of this project.' })
  project_id?: string;
}

export class DiffQuery {
  @Integer({ min: 1, max: 2 ** 31 - 1, description: 'The version to compare from.' })
  from: number;

  @Integer({ min: 1, max: 2 ** 31 - 1, description: 'The version to compare to.' })
  to: number;
}
