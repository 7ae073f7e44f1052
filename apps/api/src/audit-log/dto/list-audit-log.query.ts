import {
  AUDIT_ACTIONS,
  AUDIT_ACTORS,
  AUDIT_ENTITIES,
  type AuditAction,
  type AuditActor,
  type AuditEntity,
} from '@agentflow/contracts';
import { Choice, ChoiceList, Id, Timestamp } from '../../http/field-kinds.js';
import { PageQuery } from '../../http/page.js';

export class ListAuditLogQuery extends PageQuery {
  @Choice({ of: AUDIT_ACTORS, optional: true, description: 'Only what was done by one of this kind.' })
  actor?: AuditActor;

  @Id({ optional: true, description: 'Only what was done with this key.' })
  actor_key_id?: string;

  @ChoiceList({ of: AUDIT_ACTIONS, optional: true, description: 'Only these actions, comma-separated.' })
  action?: AuditAction[];

  @Choice({ of: AUDIT_ENTITIES, optional: true, description: 'Only what was done to things of this kind.' })
  entity_type?: AuditEntity;

  @Id({ optional: true, description: 'Only what was done to this thing.' })
  entity_id?: string;

  @Id({ optional: true, description: 'Only what was done in this project.' })
  project_id?: string;

  @Id({ optional: true, description: 'Only what was done to this agent, and to its runs and keys.' })
  agent_id?: string;

  @Timestamp({ optional: true, description: 'Only what was done after this moment.' })
  at_after?: string;

  @Timestamp({ optional: true, description: 'Only what was done before this moment.' })
  at_before?: string;
}
