import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { RUN_EVENT_TYPES, STEP_STATUSES, type RunEventType } from '../vocabulary.js';
import { EXECUTION_EVENT_TYPES, executionEventSchema } from './execution-events.js';
import { executionEventsOf, isTold, type LoggedEvent, type StepSubject } from './execution-view.js';

const ajv = new Ajv2020({ strict: true });
addFormats.default(ajv);
/** More may be added to what is published; what is made has nothing that is not published. */
const schema = executionEventSchema() as { oneOf: object[] };
const isPublished = ajv.compile({
  ...schema,
  oneOf: schema.oneOf.map((one) => ({ ...one, additionalProperties: false })),
});

const STEP: StepSubject<object> = {
  id: '01a22b4f-4be1-7d0f-a3c7-91e5b0d46f43',
  node: 'load_code',
  status: 'succeeded',
  latency_ms: 120,
  model: 'gpt-4o',
  tokens_in: 400,
  tokens_out: 50,
  tier: '2',
  input: { file_path: 'src/main.py' },
  output: { code: 'x' },
  outputs: { code: 'x' },
  error: null,
  error_type: null,
};
const RUN = { workflow_name: 'code_review', error: null, error_type: null };
const BASE = { run_id: '01a22b4f-3a80-7c55-9b0e-4d2a8f6e1c32', at: '2026-05-01T14:32:00.000000Z', seq: 7 };
const AT = { run_id: BASE.run_id, timestamp: BASE.at, seq: 7 };
const ENDED = {
  ...{ step: 'load_code', step_id: STEP.id, status: 'success', duration_ms: 120, model_used: 'gpt-4o' },
  ...{ tokens_used: 450, tier: '2', input: STEP.input, output: STEP.output, error: null },
};

/** What is made of an entry of the log; all of it has to be as published. */
function told(type: RunEventType, more: Partial<LoggedEvent<object>> = {}) {
  const events = executionEventsOf<object>({ ...BASE, type, run: RUN, ...more });
  for (const event of events)
    expect([event.type, isPublished(event), ajv.errorsText(isPublished.errors)]).toEqual([
      event.type,
      true,
      'No errors',
    ]);
  return events;
}

describe('the log in the execution format', () => {
  it('the start of a run is the start of a workflow by the name of its agent', () => {
    expect(told('run.started')).toEqual([{ type: 'workflow_start', ...AT, workflow_name: 'code_review' }]);
  });

  it('the end of a run is one end of a workflow, whose status says how; a failure says before what went wrong', () => {
    expect(told('run.succeeded')).toEqual([{ type: 'workflow_end', ...AT, status: 'success' }]);
    expect(told('run.cancelled')).toEqual([{ type: 'workflow_end', ...AT, status: 'cancelled' }]);
    expect(told('run.failed', { run: { ...RUN, error: 'no' } })).toEqual([
      { type: 'error', ...AT, seq: 6, error: 'no' },
      { type: 'workflow_end', ...AT, status: 'failed' },
    ]);
    expect(told('run.failed', { run: { ...RUN, error_type: 'lease_expired' } })[0]).toMatchObject({
      error: 'lease_expired',
    });
  });

  it('the start of a step says what went in', () => {
    expect(told('step.started', { step: STEP })).toEqual([
      { type: 'step_start', ...AT, step: 'load_code', step_id: STEP.id, input: STEP.input },
    ]);
  });

  it('a step that succeeded is one end, and one completion with what it hands on', () => {
    expect(told('step.completed', { step: STEP })).toEqual([
      { type: 'step_end', ...AT, seq: 6, ...ENDED },
      { type: 'step_complete', ...AT, ...ENDED, outputs: STEP.outputs },
    ]);
  });

  it('a step that was skipped or cancelled is an end only', () => {
    for (const status of ['skipped', 'cancelled'] as const)
      expect(told('step.completed', { step: { ...STEP, status } })).toEqual([
        { type: 'step_end', ...AT, ...ENDED, status },
      ]);
  });

  it('a step that failed is one end and one error, which says something even where nobody did', () => {
    const failed = { ...STEP, status: 'failed' as const };
    const ended = { ...ENDED, status: 'failed', error: 'no' };
    expect(told('step.failed', { step: { ...failed, error: 'no' } })).toEqual([
      { type: 'step_end', ...AT, seq: 6, ...ended },
      { type: 'step_error', ...AT, ...ended },
    ]);
    expect(told('step.failed', { step: { ...failed, error_type: 'run_ended' } })[1]).toMatchObject({
      error: 'run_ended',
    });
    expect(told('step.failed', { step: failed })[1]).toMatchObject({ error: expect.stringMatching(/./) });
  });

  it('what nobody said is null, and tokens that one side counted are a count', () => {
    const bare = {
      ...STEP,
      latency_ms: null,
      model: null,
      tier: null,
      input: null,
      output: null,
      outputs: {},
    };
    const uncounted = { ...bare, tokens_in: null, tokens_out: null };
    expect(told('step.completed', { step: uncounted })[0]).toMatchObject({
      ...{ duration_ms: null, model_used: null, tokens_used: null, tier: null, input: null, output: null },
    });
    expect(told('step.completed', { step: { ...uncounted, tokens_out: 3 } })[0]).toMatchObject({
      tokens_used: 3,
    });
  });

  it('everything else of the log is nothing, and so is a step that is gone', () => {
    for (const type of RUN_EVENT_TYPES) {
      const step = { ...STEP, status: type === 'step.failed' ? ('failed' as const) : STEP.status };
      expect([type, told(type, { step }).length > 0]).toEqual([type, isTold(type)]);
    }
    for (const type of ['step.started', 'step.completed', 'step.failed'] as const)
      expect(told(type)).toEqual([]);
  });

  it('every type but those of evaluations, which nothing reports yet, is made of something', () => {
    const made = RUN_EVENT_TYPES.flatMap((type) =>
      STEP_STATUSES.flatMap((status) => told(type, { step: { ...STEP, status } }).map((event) => event.type)),
    );
    const unmade = EXECUTION_EVENT_TYPES.filter((type) => !made.includes(type));
    expect(unmade).toEqual(['evaluation_start', 'evaluation_complete']);
  });

  it('an evaluation is published as the format has it', () => {
    const evaluation = {
      ...{
        type: 'evaluation_complete',
        ...AT,
        rubric: 'Code Quality',
        weighted_score: 87.5,
        overall_score: 82.5,
      },
      ...{ grade: 'B', passed: true, pass_threshold: 70 },
      criteria: [{ criterion: 'correctness', weight: 0.4, raw_score: 90 }],
    };
    expect(isPublished(evaluation)).toBe(true);
    expect(isPublished({ type: 'evaluation_start', ...AT })).toBe(true);
    expect(isPublished({ ...evaluation, criteria: [{ criterion: 1 }] })).toBe(false);
  });
});
