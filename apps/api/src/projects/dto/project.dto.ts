import { Name, Text } from '../../http/field-kinds.js';

export class CreateProjectDto {
  @Name({ description: 'Unique in the organization, case-sensitive.', example: 'support-bot' })
  name: string;

  @Text({ max: 1024, optional: true, nullable: true, description: 'What the project is for.' })
  description?: string | null;
}

export class ChangeProjectDto {
  @Name({ optional: true, description: 'A new name, unique in the organization.' })
  name?: string;

  @Text({ max: 1024, optional: true, nullable: true, description: 'A new description; `null` clears it.' })
  description?: string | null;
}
