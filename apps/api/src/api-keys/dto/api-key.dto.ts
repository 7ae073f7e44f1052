import { ROLES, SCOPE_KINDS, type Role, type ScopeKind } from '@agentflow/contracts';
import { Choice, Id, Integer, Name, Timestamp } from '../../http/field-kinds.js';

export class CreateApiKeyDto {
  @Name({ description: 'What the key is for.', example: 'ci reporter' })
  name: string;

  @Choice({ of: SCOPE_KINDS, description: 'How far the key sees. Not wider than the key that mints it.' })
  scope: ScopeKind;

  @Id({ optional: true, description: 'The project of a project key.' })
  project_id?: string;

  @Id({ optional: true, description: 'The agent of an agent key.' })
  agent_id?: string;

  @Choice({ of: ROLES, description: 'What the key may do. Not more than the key that mints it.' })
  role: Role;

  @Timestamp({
    optional: true,
    description: 'When the key stops working. Not later than the key that mints it.',
  })
  expires_at?: string;
}

export class RotateApiKeyDto {
  @Integer({
    min: 0,
    max: 30 * 86_400,
    optional: true,
    description: 'Seconds for which the old secret still works. Default 86,400, a day.',
  })
  grace_seconds?: number;
}
