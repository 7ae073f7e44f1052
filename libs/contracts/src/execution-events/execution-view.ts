import type { RunEventType, StepStatus } from '../vocabulary.js';
import type { ExecutionEvent, ExecutionStatus } from './execution-events.js';

/** An entry of a run's log, and what it is about. */
export interface LoggedEvent<Payload> {
  readonly run_id: string;
  readonly seq: number;
  readonly type: RunEventType;
  readonly at: string;
  readonly run: RunSubject;
  /** Of an event of a step; absent when the step is gone. */
  readonly step?: StepSubject<Payload>;
}

/** What the format tells of a run. */
export interface RunSubject {
  readonly workflow_name: string;
  readonly error: string | null;
  readonly error_type: string | null;
}

/** What the format tells of a step; the status is that of the event. */
export interface StepSubject<Payload> {
  readonly id: string;
  readonly node: string;
  readonly status: StepStatus;
  readonly latency_ms: number | null;
  readonly model: string | null;
  readonly tokens_in: number | null;
  readonly tokens_out: number | null;
  readonly tier: string | null;
  readonly input: Payload | null;
  readonly output: Payload | null;
  /** The output when it is an object, else an empty object. */
  readonly outputs: Payload;
  readonly error: string | null;
  readonly error_type: string | null;
}

/** The types of the log that the format has a word for. */
const TOLD: ReadonlySet<RunEventType> = new Set<RunEventType>([
  'run.started',
  'run.succeeded',
  'run.failed',
  'run.cancelled',
  'step.started',
  'step.completed',
  'step.failed',
]);

/** Whether the execution format says anything of such an event. */
export function isTold(type: RunEventType): boolean {
  return TOLD.has(type);
}

/** What is said where something failed and nobody said why. */
const UNSAID = 'failed without a word';

/**
 * What the execution format says of an entry of a run's log: nothing, one event or two. Each end of a step is one
 * `step_end`, followed by `step_complete` or `step_error` where it succeeded or failed: clients of the format listen to the
 * one or to the other.
 */
export function executionEventsOf<Payload>(event: LoggedEvent<Payload>): ExecutionEvent<Payload | null>[] {
  const { run_id, seq, at: timestamp, run, step } = event;
  const last = { run_id, seq, timestamp };
  // A stream that breaks behind the first of two is taken up before it.
  const first = { ...last, seq: seq - 1 };
  switch (event.type) {
    case 'run.started':
      return [{ type: 'workflow_start', ...last, workflow_name: run.workflow_name }];
    case 'run.succeeded':
      return [{ type: 'workflow_end', ...last, status: 'success' }];
    case 'run.cancelled':
      return [{ type: 'workflow_end', ...last, status: 'cancelled' }];
    case 'run.failed':
      return [
        { type: 'error', ...first, error: run.error ?? run.error_type ?? UNSAID },
        { type: 'workflow_end', ...last, status: 'failed' },
      ];
    case 'step.started':
      return step ? [{ type: 'step_start', ...last, ...placeOf(step), input: step.input }] : [];
    case 'step.completed':
      return step ? completion(step, first, last) : [];
    case 'step.failed':
      return step ? failure(step, first, last) : [];
    default:
      return [];
  }
}

type Moment = Readonly<{ run_id: string; seq: number; timestamp: string }>;

function completion<Payload>(
  step: StepSubject<Payload>,
  first: Moment,
  last: Moment,
): ExecutionEvent<Payload | null>[] {
  const ended = endOf(step);
  if (step.status !== 'succeeded') return [{ type: 'step_end', ...last, ...ended }];
  return [
    { type: 'step_end', ...first, ...ended },
    { type: 'step_complete', ...last, ...ended, outputs: step.outputs },
  ];
}

function failure<Payload>(
  step: StepSubject<Payload>,
  first: Moment,
  last: Moment,
): ExecutionEvent<Payload | null>[] {
  const ended = { ...endOf(step), error: step.error ?? step.error_type ?? UNSAID };
  return [
    { type: 'step_end', ...first, ...ended },
    { type: 'step_error', ...last, ...ended },
  ];
}

function placeOf({ node, id }: StepSubject<unknown>): { step: string; step_id: string } {
  return { step: node, step_id: id };
}

function endOf<Payload>(step: StepSubject<Payload>) {
  const { tokens_in, tokens_out } = step;
  return {
    ...placeOf(step),
    status: executionStatusOf(step.status),
    duration_ms: step.latency_ms,
    model_used: step.model,
    tokens_used: tokens_in === null && tokens_out === null ? null : (tokens_in ?? 0) + (tokens_out ?? 0),
    tier: step.tier,
    input: step.input,
    output: step.output,
    error: step.error,
  };
}

function executionStatusOf(status: StepStatus): ExecutionStatus {
  return status === 'succeeded' ? 'success' : status;
}
