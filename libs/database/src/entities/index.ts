/**
 * One class per table. They exist for writing configuration and identity, and for the check that migrations and
 * code agree; rows are read raw. TypeORM compares columns, and the names of keys, indexes and checks: it knows
 * nothing of DESC, predicates, the text of a check, or the columns of SET NULL, for which `migrations/schema.sql`
 * is compared instead.
 */
export { Agent } from './agent.entity.js';
export { AgentVersion } from './agent-version.entity.js';
export { ApiKey } from './api-key.entity.js';
export { Approval } from './approval.entity.js';
export { AuditEntry } from './audit-entry.entity.js';
export { BulkAction } from './bulk-action.entity.js';
export { Checkpoint } from './checkpoint.entity.js';
export { DeletedRun } from './deleted-run.entity.js';
export { IdempotencyKey } from './idempotency-key.entity.js';
export { Message } from './message.entity.js';
export { ModelPrice } from './model-price.entity.js';
export { Organization } from './organization.entity.js';
export { Project } from './project.entity.js';
export { ReceivedReport } from './received-report.entity.js';
export { Run } from './run.entity.js';
export { RunEvent } from './run-event.entity.js';
export { Step } from './step.entity.js';
export { ToolCall } from './tool-call.entity.js';
