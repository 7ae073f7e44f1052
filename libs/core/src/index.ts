export {
  ConfigurationError,
  readConfiguration,
  type Configuration,
  type Limits,
} from './configuration/configuration.js';
export { setsFlags } from './reporting/flags.js';
export type { LeaseClaim, LeaseStanding, Reporter } from './reporting/lease.js';
export type { Stored } from './reporting/stored.js';
export { AgentDeletion } from './agents/agent-deletion.js';
export { AgentRegistry, type AgentReference } from './agents/agent-registry.js';
export type { AgentRow, AgentVersionRow } from './agents/agent-row.js';
export { AgentsService, type AgentChange, type NewAgent } from './agents/agents.service.js';
export type { AgentDiff } from './agents/agents.service.js';
export type { ApprovalRow, ApprovalSummaryRow, Decision, NewApproval } from './approvals/approval-row.js';
export { LARGEST_SCHEMA } from './approvals/answer-schema.js';
export { ApprovalsService } from './approvals/approvals.service.js';
export type { ApprovalFilters } from './approvals/sql/list-approvals.js';
export type { Act, AuditEntryRow, Performer } from './audit-log/act.js';
export { AuditLog } from './audit-log/audit-log.js';
export { difference } from './audit-log/difference.js';
export type { AuditFilters } from './audit-log/sql/list-acts.js';
export { recordAct } from './audit-log/sql/record-acts.js';
export type { CheckpointRow, CheckpointSummaryRow, NewCheckpoint } from './checkpoints/checkpoint-row.js';
export { CheckpointsService } from './checkpoints/checkpoints.service.js';
export type { MessageRow, NewMessage } from './messages/message-row.js';
export { MessagesService } from './messages/messages.service.js';
export type { MoveContent } from './runs/run-moves.js';
export type { RunRow, RunSummaryRow, RunTotals } from './runs/run-row.js';
export type { NewRun } from './runs/new-run.js';
export type { AlignedStep, RunChanges, RunComparison, StepChanges } from './comparison/comparison-row.js';
export { ComparisonService } from './comparison/comparison.service.js';
export { ExecutionLog, type ExecutionTale } from './run-log/execution-log.service.js';
export { EventFeed } from './run-log/event-feed.service.js';
export {
  before,
  behind,
  type EventFilters,
  type EventPlace,
  type SettledEventRow,
} from './run-log/event-place.js';
export { Followers } from './run-log/followers.js';
export type { LogEnd, RunEventRow } from './run-log/run-log-row.js';
export { LiveRuns } from './run-log/live-runs.js';
export { LiveService } from './run-log/live.service.js';
export { RunLog } from './run-log/run-log.service.js';
export { startRunNews, type RunNews } from './run-log/run-news.js';
export {
  RunCopiesService,
  type ClaimedRun,
  type CopyWishes,
  type Lineage,
} from './runs/run-copies.service.js';
export type { RecordedCall } from './runs/sql/claim-run.js';
export { RunsService } from './runs/runs.service.js';
export { listRuns, runList, type RunFilters } from './runs/sql/list-runs.js';
export type { NewStep, StepChange } from './steps/step-report.js';
export type { StepRow } from './steps/step-row.js';
export { StepsService } from './steps/steps.service.js';
export { AgentToolCallsService } from './tool-calls/agent-tool-calls.service.js';
export type { NewToolCall, ToolCallCompletion, ToolCallRow } from './tool-calls/tool-call-row.js';
export { ToolCallsService, type UnnamedCompletion } from './tool-calls/tool-calls.service.js';
export type {
  BulkActionPreview,
  BulkActionRow,
  NewBulkAction,
  RunFailure,
} from './bulk-actions/bulk-action-row.js';
export { BulkActionRunner } from './bulk-actions/bulk-action-runner.js';
export { BulkActionsService } from './bulk-actions/bulk-actions.service.js';
export { ApprovalWatch } from './housekeeping/approval-watch.js';
export { LeaseWatch } from './housekeeping/lease-watch.js';
export { Housekeeper, type Tidied } from './housekeeping/housekeeper.js';
export type { ModelPriceRow } from './pricing/price-overrides.js';
export { COST_SOURCES, type CostSource } from './pricing/price-step.js';
export { createLogger } from './operation/logger.js';
export type { RoundsLog } from './operation/rounds.js';
export { runProcess } from './operation/run-process.js';
export type { ProcessLife, StopSignal } from './operation/process-life.js';
export { BACKGROUND_ENDS_WITHIN_MS, startBackground, type Background } from './operation/background.js';
export { IngestService, type Batch } from './ingest/ingest.service.js';
export { RunRegistration } from './ingest/run-registration.js';
export { rejected, type Verdict } from './ingest/verdict.js';
export { PriceBook } from './pricing/price-book.js';
export {
  ReceivedReports,
  type Outcome,
  type ReportDialect,
  type RunReport,
} from './received-reports/received-reports.service.js';
export { mapAllAgain } from './received-reports/remapping.js';
