import type { RawJson } from '@agentflow/domain';
import {
  AdapterName,
  Flag,
  Id,
  Integer,
  JsonObject,
  Labels,
  Name,
  Nested,
  Payload,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';

/** An agent by name, instead of its id. */
export class AgentReferenceDto {
  @Name({
    description: 'The name of the agent. An unknown one is registered in the project of the key or the run.',
  })
  name: string;

  @AdapterName({ description: 'What runs the agent. A different one makes a new version.' })
  adapter: string;

  @JsonObject({
    optional: true,
    description: 'The definition of the agent. A different one makes a new version.',
  })
  config?: RawJson;

  @Text({ max: 1024, optional: true, nullable: true, description: 'What the agent is for.' })
  description?: string | null;
}

export class CreateRunDto {
  @Id({
    optional: true,
    description: 'The id of the run, best a UUIDv7. The same one again is the same run.',
  })
  id?: string;

  @Id({ optional: true, description: 'The agent that runs. Either this or `agent` has to be given.' })
  agent_id?: string;

  @Nested(() => AgentReferenceDto, {
    optional: true,
    description: 'The agent by name, registered on first sight.',
  })
  agent?: AgentReferenceDto;

  @Id({
    optional: true,
    description: "The agent's project; an organization key needs it to register an agent.",
  })
  project_id?: string;

  @AdapterName({
    optional: true,
    description: 'What runs the agent this time. Default: the adapter of the agent.',
  })
  adapter?: string;

  @Text({ max: 256, optional: true, description: 'A name for people.' })
  name?: string;

  @Payload({ optional: true, description: 'What the agent was asked, as it was sent.' })
  input?: RawJson;

  @JsonObject({ optional: true, description: 'Whatever else belongs to the run.' })
  metadata?: RawJson;

  @Labels({ optional: true, description: 'Labels to find the run by.' })
  tags?: string[];

  @Text({
    max: 256,
    min: 1,
    optional: true,
    description: 'The conversation or session that the run belongs to.',
  })
  session_id?: string;

  @Text({
    max: 256,
    min: 1,
    optional: true,
    description: 'The id of the run elsewhere, unique in the organization.',
  })
  external_id?: string;

  @Id({ optional: true, description: 'The run that started this one as its sub-agent.' })
  parent_run_id?: string;

  @Integer({ min: 1, max: 86_400, optional: true, description: 'Seconds that a holder may be silent.' })
  lease_seconds?: number;

  @Timestamp({
    optional: true,
    description: 'When the run really started. Default: when it is started here.',
  })
  started_at?: string;

  @Flag({ optional: true, description: 'Start at once: the run is created as `running`. Default `false`.' })
  start?: boolean;
}
