// The closed lists of words that stand on the wire and in the database. Each array is the list, in the order
// in which things are shown; the type of the same name is one of its words. Words are added, never renamed.

/** Where a run stands; the moves between them are a table in `@agentflow/domain`. */
export const RUN_STATUSES = [
  'pending',
  'running',
  'waiting_human',
  'succeeded',
  'failed',
  'cancelled',
] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** What can be asked of a run; each is also the last part of its route. */
export const RUN_COMMANDS = ['start', 'wait', 'resume', 'succeed', 'fail', 'cancel'] as const;
export type RunCommand = (typeof RUN_COMMANDS)[number];

/** Why a run has a parent. */
export const RUN_ORIGINS = ['retry', 'fork', 'subagent'] as const;
export type RunOrigin = (typeof RUN_ORIGINS)[number];

/** Where a step stands. */
export const STEP_STATUSES = [
  'pending',
  'running',
  'retrying',
  'succeeded',
  'failed',
  'skipped',
  'cancelled',
] as const;
export type StepStatus = (typeof STEP_STATUSES)[number];

/** Where a tool call stands. */
export const TOOL_CALL_STATUSES = ['running', 'succeeded', 'failed', 'cancelled'] as const;
export type ToolCallStatus = (typeof TOOL_CALL_STATUSES)[number];

/** What is asked of a person: leave for a tool call, an answer, or that the run goes on at all. */
export const APPROVAL_KINDS = ['tool', 'question', 'gate'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** What a person can decide: yes, yes with other arguments, no, or an answer in words of his own. */
export const APPROVAL_DECISIONS = ['approve', 'edit', 'reject', 'respond'] as const;
export type ApprovalDecision = (typeof APPROVAL_DECISIONS)[number];

/**
 * Where an approval stands. After `pending` comes one other, for ever: what was decided; `expired` when its time was over
 * and its run was called off for that; `cancelled` when its run went on or ended without it.
 */
export const APPROVAL_STATUSES = [
  'pending',
  'approved',
  'edited',
  'rejected',
  'responded',
  'expired',
  'cancelled',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** What becomes of an approval that nobody decided in time: its run is cancelled, or it counts as rejected. */
export const APPROVAL_DUE_ACTIONS = ['cancel', 'reject'] as const;
export type ApprovalDueAction = (typeof APPROVAL_DUE_ACTIONS)[number];

/** What is said of a run while it is live, and not kept: a piece of what a model says, a line of a log. */
export const LIVE_TYPES = ['token.delta', 'log'] as const;
export type LiveType = (typeof LIVE_TYPES)[number];

/** How much a line of a log matters. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What can be done to many runs at once. */
export const BULK_ACTIONS = ['cancel', 'delete', 'retry'] as const;
export type BulkActionKind = (typeof BULK_ACTIONS)[number];

/** Where a bulk action stands; the last three are for ever. `failed`: it came to all runs, and something went wrong with some. */
export const BULK_ACTION_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled'] as const;
export type BulkActionStatus = (typeof BULK_ACTION_STATUSES)[number];

/** Why the rest of a bulk action was left: somebody asked for that, or the key that asked for it does not count any more. */
export const BULK_ACTION_CANCEL_REASONS = ['requested', 'key_revoked'] as const;
export type BulkActionCancelReason = (typeof BULK_ACTION_CANCEL_REASONS)[number];

/** The member of the metadata of steps and tool calls that is ours; no report sets it. */
export const FLAGS_MEMBER = 'agentflow.flags';

/** Who speaks in a message. */
export const MESSAGE_ROLES = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type MessageRole = (typeof MESSAGE_ROLES)[number];

/** How far a key sees, the widest first. */
export const SCOPE_KINDS = ['organization', 'project', 'agent'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** What a key may do, each including the one before. */
export const ROLES = ['viewer', 'reporter', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a run's event log can say. A move of the run is one `run.*` event; `step.completed`
 * and `tool_call.completed` cover the final statuses, which stand in their data; only a step that failed has an
 * event of its own.
 */
export const RUN_EVENT_TYPES = [
  'run.created',
  'run.started',
  'run.waiting_human',
  'run.resumed',
  'run.succeeded',
  'run.failed',
  'run.cancelled',
  'step.started',
  'step.updated',
  'step.completed',
  'step.failed',
  'message.created',
  'tool_call.started',
  'tool_call.completed',
  'checkpoint.created',
  'approval.requested',
  'approval.resolved',
] as const;
export type RunEventType = (typeof RUN_EVENT_TYPES)[number];

/** Who can have done what the audit log tells: the holder of an API key, the operator, or the product by itself. */
export const AUDIT_ACTORS = ['key', 'root', 'system'] as const;
export type AuditActor = (typeof AUDIT_ACTORS)[number];

/**
 * What the audit log can tell: what it was done to, and what was done. Whoever adds something that changes who may do what,
 * or decides about a run, gives it a word here. What agents report stands in the logs of their runs instead.
 */
export const AUDIT_ACTIONS = [
  'organization.created',
  'project.created',
  'project.changed',
  'project.deleted',
  'agent.created',
  'agent.changed',
  'agent.restored',
  'agent.deleted',
  'api_key.created',
  'api_key.rotated',
  'api_key.revoked',
  'model_price.created',
  'model_price.deleted',
  'approval.decided',
  'approval.expired',
  'bulk_action.created',
  'bulk_action.cancelled',
  'run.resumed',
  'run.cancelled',
  'run.retried',
  'run.forked',
  'run.failed',
  'run.deleted',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** What something was done to. */
export const AUDIT_ENTITIES = [
  'organization',
  'project',
  'agent',
  'api_key',
  'model_price',
  'approval',
  'bulk_action',
  'run',
] as const;
export type AuditEntity = (typeof AUDIT_ENTITIES)[number];
