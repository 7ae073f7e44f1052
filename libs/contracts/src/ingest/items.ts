import type { RunStatus, StepStatus, ToolCallStatus, MessageRole } from '../vocabulary.js';

/*
 * What `POST /v1/ingest` takes: typed items in any order, of which the JSON Schemas in `schemas.ts` say the same. `Json`
 * is how a payload is held: text that is never rebuilt on the server, any value in a client.
 */

/** An agent by name, as a reporter knows it; what is left out is left as it is. */
export interface ReportedAgent<Json = unknown> {
  name: string;
  adapter: string;
  config?: Json;
  description?: string | null;
}

interface OfRun {
  run_id: string;
  /** When it happened, by the reporter's clock. */
  at: string;
}

interface OfEntity<Json> extends OfRun {
  id: string;
  /** The agent of the run, for the case that the run has not been announced yet; ignored when it has. */
  agent?: ReportedAgent<Json>;
}

/** Announces a run: whose it is, and what it was given. */
export interface RunStarted<Json = unknown> extends OfRun {
  type: 'run.started';
  id?: string;
  agent?: ReportedAgent<Json>;
  agent_id?: string;
  project_id?: string;
  adapter?: string;
  name?: string;
  input?: Json;
  metadata?: Json;
  tags?: string[];
  session_id?: string;
  external_id?: string;
  parent_run_id?: string;
}

/** The run waits for a human, or goes on. */
export interface RunMoved<Json = unknown> extends OfRun {
  type: 'run.moved';
  id?: string;
  agent?: ReportedAgent<Json>;
  status: Extract<RunStatus, 'running' | 'waiting_human'>;
  /** With `waiting_human`: what is asked. */
  question?: string;
  payload?: Json;
  kind?: string;
  /** With `running`: what was answered. */
  input?: Json;
}

/** The run has ended; `at` is its end. */
export interface RunFinished<Json = unknown> extends OfRun {
  type: 'run.finished';
  id?: string;
  agent?: ReportedAgent<Json>;
  status: Extract<RunStatus, 'succeeded' | 'failed' | 'cancelled'>;
  output?: Json;
  error?: string;
  error_type?: string;
}

/** What may be said of a step at any time, and said again. */
export interface StepFacts<Json = unknown> {
  output?: Json;
  error?: string;
  error_type?: string;
  tokens_in?: number;
  tokens_out?: number;
  token_details?: Json;
  /** US dollars; a decimal as text once it was read. */
  cost_usd?: Json | string;
  model?: string;
  provider?: string;
  retry_count?: number;
  metadata?: Json;
}

/** Announces a step: what it is, and what went into it. `at` is its start. */
export interface StepStarted<Json = unknown> extends OfEntity<Json>, StepFacts<Json> {
  type: 'step.started';
  node: string;
  kind?: string;
  parent_step_id?: string;
  input?: Json;
  agent_role?: string;
  tier?: string;
  external_id?: string;
  status?: Extract<StepStatus, 'pending' | 'running'>;
}

/** Says more about a step that is under way. */
export interface StepUpdated<Json = unknown> extends OfEntity<Json>, StepFacts<Json> {
  type: 'step.updated';
  status?: Extract<StepStatus, 'pending' | 'running' | 'retrying'>;
}

/** The step has ended; `at` is its end. Without a status: failed with an error, succeeded otherwise. */
export interface StepFinished<Json = unknown> extends OfEntity<Json>, StepFacts<Json> {
  type: 'step.finished';
  status?: Extract<StepStatus, 'succeeded' | 'failed' | 'skipped' | 'cancelled'>;
  latency_ms?: number;
}

/** A message, whole. */
export interface MessageSent<Json = unknown> extends OfEntity<Json> {
  type: 'message';
  role: MessageRole;
  step_id?: string;
  name?: string;
  content?: string | null;
  tool_call_id?: string;
  extra?: Json;
}

/** Announces a tool call. `at` is its start. */
export interface ToolCallStarted<Json = unknown> extends OfEntity<Json> {
  type: 'tool_call.started';
  name: string;
  step_id?: string;
  arguments?: Json;
  provider_call_id?: string;
  metadata?: Json;
}

/** The tool call has ended; `at` is its end. Without a status: failed with an error, succeeded otherwise. */
export interface ToolCallCompleted<Json = unknown> extends OfEntity<Json> {
  type: 'tool_call.completed';
  status?: Exclude<ToolCallStatus, 'running'>;
  result?: Json;
  error?: string;
  error_type?: string;
  latency_ms?: number;
  metadata?: Json;
}

/** A checkpoint, whole. */
export interface CheckpointTaken<Json = unknown> extends OfEntity<Json> {
  type: 'checkpoint';
  label?: string;
  step_id?: string;
  state: Json;
}

export type IngestItem<Json = unknown> =
  | RunStarted<Json>
  | RunMoved<Json>
  | RunFinished<Json>
  | StepStarted<Json>
  | StepUpdated<Json>
  | StepFinished<Json>
  | MessageSent<Json>
  | ToolCallStarted<Json>
  | ToolCallCompleted<Json>
  | CheckpointTaken<Json>;

export type IngestItemType = IngestItem['type'];

/** What became of an item. */
export const INGEST_VERDICTS = ['created', 'updated', 'duplicate', 'rejected'] as const;
export type IngestVerdict = (typeof INGEST_VERDICTS)[number];
