import type { AgentDiff, AgentVersionRow } from '@agentflow/core';
import { RawJson } from '@agentflow/domain';
import {
  AdapterName,
  Id,
  Integer,
  JsonObject,
  ListOf,
  MapOf,
  Nested,
  Payload,
  Text,
  Timestamp,
} from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';

const MAX_VERSION = 2 ** 31 - 1;

export class AgentVersionResponse {
  @Id({ description: 'The agent.' })
  agent_id: string;

  @Integer({ min: 1, max: MAX_VERSION, description: 'The number of the version.' })
  version: number;

  @AdapterName({ description: 'What ran the agent.' })
  adapter: string;

  @JsonObject({ description: 'The definition of the agent in this version.' })
  config: RawJson;

  @Text({ max: 1024, nullable: true, description: 'What the agent was for.' })
  description: string | null;

  @Text({ max: 512, nullable: true, description: 'Why the version was made.' })
  note: string | null;

  @Timestamp({ description: 'When the version was made.' })
  created_at: string;

  static of(row: AgentVersionRow): AgentVersionResponse {
    const { agent_id, version, adapter, config, description, note, created_at } = row;
    return { agent_id, version, adapter, config, description, note, created_at };
  }
}

export class AgentVersionPage {
  @ListOf(() => AgentVersionResponse, { description: 'Newest version first.' })
  data: AgentVersionResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<AgentVersionRow>): AgentVersionPage {
    return { data: rows.map((row) => AgentVersionResponse.of(row)), next_cursor: nextCursor };
  }
}

export class TextChange {
  @Text({ max: 1024, nullable: true, description: 'The text before.' })
  from: string | null;

  @Text({ max: 1024, nullable: true, description: 'The text after.' })
  to: string | null;
}

export class ValueChange {
  @Payload({ description: 'The value before.' })
  from: RawJson;

  @Payload({ description: 'The value after.' })
  to: RawJson;
}

export class ConfigDiffResponse {
  @JsonObject({
    description: 'What only the later version has: a map from JSON Pointer (RFC 6901) to value.',
  })
  added: Record<string, RawJson>;

  @JsonObject({ description: 'What only the earlier version has: a map from JSON Pointer to value.' })
  removed: Record<string, RawJson>;

  @MapOf(() => ValueChange, { description: 'What differs: a map from JSON Pointer to the two values.' })
  changed: Record<string, ValueChange>;
}

export class AgentDiffResponse {
  @Integer({ min: 1, max: MAX_VERSION, description: 'The version compared from.' })
  from_version: number;

  @Integer({ min: 1, max: MAX_VERSION, description: 'The version compared to.' })
  to_version: number;

  @Nested(() => TextChange, { nullable: true, description: 'The adapters, when they differ.' })
  adapter: TextChange | null;

  @Nested(() => TextChange, { nullable: true, description: 'The descriptions, when they differ.' })
  description: TextChange | null;

  @Nested(() => ConfigDiffResponse, {
    description: 'Objects are compared member by member, arrays and scalars whole.',
  })
  config: ConfigDiffResponse;

  static of({ from_version, to_version, adapter, description, config }: AgentDiff): AgentDiffResponse {
    return { from_version, to_version, adapter, description, config };
  }
}
