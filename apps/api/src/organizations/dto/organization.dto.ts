import { RawJson } from '@agentflow/domain';
import { ApiKeyResponse, NewApiKeyResponse, type MintedKey } from '../../api-keys/dto/api-key.response.js';
import { Id, JsonObject, Name, Nested, Timestamp, Token } from '../../http/field-kinds.js';

const SLUG = {
  pattern: /^[a-z0-9][a-z0-9-]{0,62}$/,
  says: 'has to be 1 to 63 of a-z 0-9 and -, and must not begin with -',
};

export class CreateOrganizationDto {
  @Name({ description: 'The name of the organization.' })
  name: string;

  @Token({ ...SLUG, description: 'A short name for addresses, unique in the installation.', example: 'acme' })
  slug: string;
}

export interface OrganizationRow {
  id: string;
  slug: string;
  name: string;
  settings: RawJson;
  created_at: string;
  updated_at: string;
}

export class OrganizationResponse {
  @Id({ description: 'The organization. It is the tenant that everything in it belongs to.' })
  id: string;

  @Name({ description: 'The name.' })
  name: string;

  @Token({ ...SLUG, description: 'The short name, unique in the installation.' })
  slug: string;

  @JsonObject({ description: 'Settings of the organization.' })
  settings: RawJson;

  @Timestamp({ description: 'When it was founded.' })
  created_at: string;

  @Timestamp({ description: 'When it was last changed.' })
  updated_at: string;

  static of({ id, name, slug, settings, created_at, updated_at }: OrganizationRow): OrganizationResponse {
    return { id, name, slug, settings, created_at, updated_at };
  }
}

/** A new organization and its first admin key. */
export interface FoundedOrganization {
  organization: OrganizationRow;
  key: MintedKey;
}

export class FoundedOrganizationResponse extends OrganizationResponse {
  @Nested(() => NewApiKeyResponse, { description: 'The first admin key. Its secret is in this answer only.' })
  api_key: ApiKeyResponse;

  static override of(founded: OrganizationRow | FoundedOrganization): FoundedOrganizationResponse {
    const { organization, key } = founded as FoundedOrganization;
    return { ...OrganizationResponse.of(organization), api_key: NewApiKeyResponse.of(key) };
  }
}
