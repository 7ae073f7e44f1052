export {
  ROLES,
  type Role,
  SCOPE_KINDS,
  type ScopeKind,
  MESSAGE_ROLES,
  type MessageRole,
  RUN_COMMANDS,
  type RunCommand,
  RUN_EVENT_TYPES,
  type RunEventType,
  RUN_ORIGINS,
  type RunOrigin,
  RUN_STATUSES,
  type RunStatus,
  STEP_STATUSES,
  type StepStatus,
  TOOL_CALL_STATUSES,
  type ToolCallStatus,
} from './vocabulary.js';
export {
  type AnyPermission,
  OPERATOR_PERMISSION,
  PERMISSIONS,
  type Permission,
  type PermissionRule,
} from './permissions.js';
export { type Problem, PROBLEMS, type ProblemCode, type RequestFault } from './problems.js';
