import { Id, ListOf, Name, Text, Timestamp } from '../../http/field-kinds.js';
import { NextCursor, type Page } from '../../http/page.js';
import type { ProjectRow } from '../project-row.js';

export class ProjectResponse {
  @Id({ description: 'The project.' })
  id: string;

  @Name({ description: 'Unique in the organization.' })
  name: string;

  @Text({ max: 1024, nullable: true, description: 'What the project is for.' })
  description: string | null;

  @Timestamp({ description: 'When it was created.' })
  created_at: string;

  @Timestamp({ description: 'When it was last changed.' })
  updated_at: string;

  static of({ id, name, description, created_at, updated_at }: ProjectRow): ProjectResponse {
    return { id, name, description, created_at, updated_at };
  }
}

export class ProjectPage {
  @ListOf(() => ProjectResponse, { description: 'Newest first.' })
  data: ProjectResponse[];

  @NextCursor()
  next_cursor: string | null;

  static of({ rows, nextCursor }: Page<ProjectRow>): ProjectPage {
    return { data: rows.map((row) => ProjectResponse.of(row)), next_cursor: nextCursor };
  }
}
