import {
  amount,
  amountOrNull,
  count,
  countOrNull,
  id,
  listOf,
  moment,
  objectSchema,
  oneOf,
  payload,
  text,
  textOrNull,
  truth,
  type ValueOf,
} from './members.js';

/*
 * The execution events: an older format for what happens to a run, which some clients know. The definition below is the
 * one place where it stands; the types and the published JSON Schema follow from it. Members are added, never renamed.
 */

/** Where a step or a workflow stands, in the words of the format, which says `success`. */
export const EXECUTION_STATUSES = [
  'pending',
  'running',
  'success',
  'failed',
  'skipped',
  'retrying',
  'cancelled',
] as const;
export type ExecutionStatus = (typeof EXECUTION_STATUSES)[number];

const OF_EVERY = {
  run_id: id('The run.'),
  seq: count(
    "How far the run's log is told with this event: with `?after=` the next stream goes on behind it. Of several events for one thing, only the last counts up.",
  ),
  timestamp: moment('When it was committed.'),
};

const OF_STEP = {
  step: text('The node that ran.'),
  step_id: id('The step: nodes may run several times.'),
};

const ENDED_STEP = {
  ...OF_STEP,
  status: oneOf(EXECUTION_STATUSES, 'How it ended.'),
  duration_ms: amountOrNull('How long it took, in milliseconds.'),
  model_used: textOrNull('The model, by its own name.'),
  tokens_used: countOrNull('Tokens that were read and written; null when nobody counted.'),
  tier: textOrNull('The tier of the model.'),
  input: payload('What went in, as it was sent; null when nothing was.'),
  output: payload('What came out, as it was sent; null when nothing was.'),
  error: textOrNull('What went wrong.'),
};

/** The members of each type of event, beside `type`. */
const MEMBERS = {
  workflow_start: { ...OF_EVERY, workflow_name: text('The name of the agent.') },
  step_start: { ...OF_EVERY, ...OF_STEP, input: ENDED_STEP.input },
  step_end: { ...OF_EVERY, ...ENDED_STEP },
  step_complete: {
    ...OF_EVERY,
    ...ENDED_STEP,
    outputs: payload('What the step hands on: its output when that is an object, else an empty one.'),
  },
  step_error: { ...OF_EVERY, ...ENDED_STEP, error: text('What went wrong.') },
  workflow_end: { ...OF_EVERY, status: oneOf(EXECUTION_STATUSES, 'How it ended.') },
  error: { ...OF_EVERY, error: text('What went wrong.') },
  evaluation_start: { ...OF_EVERY },
  evaluation_complete: {
    ...OF_EVERY,
    rubric: text('By what it was judged.'),
    weighted_score: amount('From 0 to 100, by the weights of the criteria.'),
    overall_score: amount('From 0 to 100.'),
    grade: text('The grade, such as `B`.'),
    passed: truth('Whether the score reaches the threshold.'),
    pass_threshold: amount('The score from which it passes.'),
    criteria: listOf(
      { criterion: text('Its name.'), weight: amount('Its share.'), raw_score: amount('From 0 to 100.') },
      'Each criterion with its score.',
    ),
  },
} as const;

const DESCRIPTIONS: Readonly<Record<ExecutionEventType, string>> = {
  workflow_start: 'The run was started.',
  step_start: 'A step was started.',
  step_end: 'A step has ended, however it did.',
  step_complete: 'A step has succeeded; follows its `step_end`.',
  step_error: 'A step has failed; follows its `step_end`.',
  workflow_end: 'The run has ended.',
  error: 'The run has failed; its `workflow_end` follows.',
  evaluation_start: 'An evaluation of the run was started. Nothing reports evaluations yet, so none is sent.',
  evaluation_complete:
    'An evaluation of the run was completed. Nothing reports evaluations yet, so none is sent.',
};

export type ExecutionEventType = keyof typeof MEMBERS;
export const EXECUTION_EVENT_TYPES = Object.keys(MEMBERS) as readonly ExecutionEventType[];

type EventOf<T extends ExecutionEventType, Payload> = { type: T } & {
  [N in keyof (typeof MEMBERS)[T]]: ValueOf<(typeof MEMBERS)[T][N], Payload>;
};

/** An execution event; `type` tells which. */
export type ExecutionEvent<Payload = unknown, T extends ExecutionEventType = ExecutionEventType> = {
  [One in T]: EventOf<One, Payload>;
}[T];

/** The published JSON Schema (2020-12) of an execution event. */
export function executionEventSchema(): Record<string, unknown> {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'ExecutionEvent',
    description: 'What happens to a run, in the execution format.',
    oneOf: EXECUTION_EVENT_TYPES.map((type) => {
      const named = { type: { schema: { const: type, description: 'What the event is.' } } };
      return {
        title: type,
        description: DESCRIPTIONS[type],
        ...objectSchema({ ...named, ...MEMBERS[type] }),
      };
    }),
  };
}
