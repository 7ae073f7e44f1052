import type { AgentRow } from '@agentflow/core';
import type { RawJson } from '@agentflow/domain';
import {
  AdapterName,
  Id,
  Integer,
  JsonObject,
  ListOf,
  Name,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

export class AgentResponse {
  @Id({ description: 'The agent.' })
  id: string;

  @Id({ description: 'The project that it belongs to.' })
  project_id: string;

  @Name({ description: 'Unique in the organization.' })
  name: string;

  @Text({ max: 1024, nullable: true, description: 'What the agent is for.' })
  description: string | null;

  @AdapterName({ description: 'What runs the agent.' })
  adapter: string;

  @JsonObject({ description: 'The definition of the agent.' })
  config: RawJson;

  @Integer({
    min: 1,
    max: 2 ** 31 - 1,
    description: 'The present version; it rises by one with each change.',
  })
  version: number;

  @Timestamp({ description: 'When it was created.' })
  created_at: string;

  @Timestamp({ description: 'When it was last changed.' })
  updated_at: string;

  static of(row: AgentRow): AgentResponse {
    const { id, project_id, name, description, adapter, config, version, created_at, updated_at } = row;
    return { id, project_id, name, description, adapter, config, version, created_at, updated_at };
  }
}

export class AgentPage {
  @ListOf(() => AgentResponse, { description: 'Newest first.' })
  data: AgentResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<AgentRow>): AgentPage {
    return { data: rows.map((row) => AgentResponse.of(row)), next_cursor: nextCursor };
  }
}
