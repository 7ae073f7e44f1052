import { PERMISSIONS, ROLES, SCOPE_KINDS, type Role, type ScopeKind } from '@agentflow/contracts';
import { RawJson, encodeJson } from '@agentflow/domain';
import type { Caller, CallerKey, Named } from '../access/caller.js';
import { Choice, Choices, Id, Name, Nested, Text, Timestamp, Token } from '../http/field-kinds.js';

export class NamedResponse {
  @Id({ description: 'The id.' })
  id: string;

  @Name({ description: 'The name.' })
  name: string;
}

export class NamedOrganization extends NamedResponse {
  @Text({ max: 63, description: 'The short name, unique in the installation.' })
  slug: string;
}

export class OwnKeyResponse {
  @Id({ description: 'The key.' })
  id: string;

  @Token({ pattern: /^[0-9A-Za-z]{12}$/, says: '', description: 'The part of the key that is no secret.' })
  public_id: string;

  @Choice({ of: SCOPE_KINDS, description: 'How far the key sees.' })
  scope: ScopeKind;

  @Choice({ of: ROLES, description: 'What the key may do.' })
  role: Role;

  @Timestamp({ nullable: true, description: 'When the key stops working.' })
  expires_at: string | null;
}

export class MeResponse {
  @Nested(() => NamedOrganization, { description: 'The organization of the key.' })
  organization: NamedOrganization;

  @Nested(() => NamedResponse, { nullable: true, description: 'The project, of a project or agent key.' })
  project: NamedResponse | null;

  @Nested(() => NamedResponse, { nullable: true, description: 'The agent, of an agent key.' })
  agent: NamedResponse | null;

  @Nested(() => OwnKeyResponse, { description: 'The key itself.' })
  key: OwnKeyResponse;

  @Choices({ of: Object.keys(PERMISSIONS), description: 'What the key may do, in its scope.' })
  permissions: RawJson;

  static of({ organization, project, agent, key, scope, permissions }: Caller): MeResponse {
    const { id, publicId, role, expiresAt } = key as CallerKey;
    return {
      organization: organization as Named & { slug: string },
      project: project ?? null,
      agent: agent ?? null,
      key: { id, public_id: publicId, scope: scope.kind, role, expires_at: expiresAt },
      permissions: listOf(permissions),
    };
  }
}

const lists = new WeakMap<Caller['permissions'], RawJson>();

/** Keys of one kind share their permissions, so the list is written once for all of them. */
function listOf(permissions: Caller['permissions']): RawJson {
  const known = lists.get(permissions);
  if (known) return known;
  const list = RawJson.trusted(encodeJson([...permissions]));
  lists.set(permissions, list);
  return list;
}
