import type { components, operations } from './generated/api.js';

type Schemas = components['schemas'];
type QueryOf<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;

/** Whose key the client has, and what it may do. */
export type Me = Schemas['MeResponse'];

export type Project = Schemas['ProjectResponse'];

export type RunRecord = Schemas['RunResponse'];
/** As its holder gets it, with the token of the lease. */
export type HeldRunRecord = Schemas['HeldRunResponse'];
/** As lists show it, without payloads. */
export type RunSummary = Schemas['RunSummary'];
/** With the first page of what `include` asked for. */
export type RunDetail = Schemas['RunWithChildrenResponse'];
export type StepRecord = Schemas['StepResponse'];
export type MessageRecord = Schemas['MessageResponse'];
export type ToolCallRecord = Schemas['ToolCallResponse'];
export type CheckpointRecord = Schemas['CheckpointResponse'];
/** As lists show it, without the state. */
export type CheckpointSummary = Schemas['CheckpointSummary'];
export type Heartbeat = Schemas['HeartbeatResponse'];

export type RunStatus = RunRecord['status'];
export type StepStatus = StepRecord['status'];
export type ToolCallStatus = ToolCallRecord['status'];
export type MessageRole = MessageRecord['role'];
export type RunChildren = keyof Pick<RunDetail, 'steps' | 'messages' | 'tool_calls' | 'checkpoints'>;

/** An agent by name, registered on first sight; a different definition makes a new version. */
export type AgentReference = Schemas['AgentReferenceDto'];

type RunOfAgent = { agent: AgentReference; agent_id?: never } | { agent_id: string; agent?: never };

/** A run is started at once unless `start` is false. */
export type StartRunParams = Omit<Schemas['CreateRunDto'], 'agent' | 'agent_id'> & RunOfAgent;
export type StepParams = Schemas['CreateStepDto'];
export type StepUpdate = Schemas['ChangeStepDto'];
/** How a step ended; `succeeded` unless another final status is given. */
export type StepCompletion = Omit<StepUpdate, 'status'> & {
  status?: 'succeeded' | 'failed' | 'skipped' | 'cancelled';
};
export type StepOutcome = Omit<StepUpdate, 'status'>;
export type MessageParams = Schemas['CreateMessageDto'];
export type ToolCallParams = Schemas['CreateToolCallDto'];
/** How a call ended; `succeeded` unless there is an error or another final status. */
export type ToolCallCompletion = Omit<Schemas['CompleteToolCallDto'], 'status'> & {
  status?: 'succeeded' | 'failed' | 'cancelled';
};
export type ToolCallOutcome = Omit<ToolCallCompletion, 'status'>;
export type CheckpointParams = Schemas['CreateCheckpointDto'];
export type StartParams = Schemas['StartRunDto'];
export type WaitParams = Schemas['WaitRunDto'];
export type ResumeParams = Schemas['ResumeRunDto'];
export type SucceedParams = Schemas['SucceedRunDto'];
export type FailParams = Schemas['FailRunDto'];
export type CancelParams = Schemas['CancelRunDto'];

/** What to show of a run beside itself. */
export interface GetRunQuery {
  include?: readonly RunChildren[];
}

export type ListRunsQuery = Omit<QueryOf<'runs_list'>, 'status'> & {
  status?: RunStatus | readonly RunStatus[];
};
export type ListProjectsQuery = QueryOf<'projects_list'>;
export type ListQuery = QueryOf<'steps_list'>;
export type ListToolCallsQuery = QueryOf<'toolCalls_list'>;

/** One page of a list. */
export interface Page<T> {
  data: T[];
  /** Where to go on; `null` on the last page. */
  next_cursor: string | null;
}
