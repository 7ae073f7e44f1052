import { describe, expect, it } from '@jest/globals';
import { capturedTraces, langfuseSpans } from '../../../../test/support/captured-spans.js';
import type { Item, MappedRun } from '../reported-items.js';
import { mapTrace } from './map-trace.js';

const AI_SDK = ['aisdk.json', 'aisdk-legacy.json'];
const first = (file: string): MappedRun => mapTrace(capturedTraces(file)[0] ?? []);
const ofType = <T extends Item['type']>({ items }: MappedRun, type: T): Extract<Item, { type: T }>[] =>
  items.filter((item): item is Extract<Item, { type: T }> => item.type === type);
const tokensOf = (run: MappedRun): [number, number] => {
  const steps = ofType(run, 'step.finished');
  const sum = (member: 'tokens_in' | 'tokens_out'): number =>
    steps.reduce((total, step) => total + (step[member] ?? 0), 0);
  return [sum('tokens_in'), sum('tokens_out')];
};

describe('what the spans of a trace come to', () => {
  it('A trace is one run, and what its models used is counted once, whichever convention it is told in', () => {
    const told = [...AI_SDK, 'oi-langgraph.json'].map((file) =>
      capturedTraces(file).map((spans) => tokensOf(mapTrace(spans))),
    );
    expect(told).toEqual([
      [
        [60, 14],
        [30, 7],
        [0, 0],
      ],
      [
        [60, 14],
        [30, 7],
        [0, 0],
      ],
      [[21, 5]],
    ]);
    for (const file of ['langfuse-js.otlp.json', 'langfuse-py.otlp.pb']) {
      expect(tokensOf(mapTrace(langfuseSpans(file)))).toEqual([11, 7]);
    }
  });

  it('The root tells whose run it was, what it was given, and how it ended', () => {
    const run = first('aisdk.json');
    expect(ofType(run, 'run.started')).toMatchObject([
      {
        run_id: 'a390813c-efc1-3756-d50f-01327b32e283',
        at: '2026-11-29T14:32:16.148000Z',
        agent: { name: 'weather-agent', adapter: 'ai-sdk' },
        external_id: 'otel:a390813cefc13756d50f01327b32e283',
        input: { text: '[{"role":"user","parts":[{"type":"text","content":"weather in Oslo?"}]}]' },
      },
    ]);
    expect(ofType(run, 'run.finished')).toMatchObject([
      { status: 'succeeded', at: '2026-11-29T14:32:16.185040Z' },
    ]);
    const failed = mapTrace(capturedTraces('aisdk.json')[2] ?? []);
    expect(ofType(failed, 'run.finished')).toMatchObject([
      { status: 'failed', error: 'provider boom', error_type: 'Error' },
    ]);
  });

  it('Langfuse: a run with its tool calls, of which one failed by its level alone', () => {
    const run = mapTrace(langfuseSpans('langfuse-js.otlp.json'));
    expect(ofType(run, 'run.finished')).toMatchObject([{ status: 'succeeded', output: { text: '"done"' } }]);
    expect(ofType(run, 'tool_call.started').map(({ name }) => name)).toEqual(['boom', 'search']);
    expect(ofType(run, 'tool_call.completed')).toMatchObject([
      { status: 'failed', error: 'tool broke' },
      { status: 'succeeded', result: { text: '"found a"' } },
    ]);
    expect(ofType(run, 'step.finished')).toMatchObject([{ cost_usd: '0.0021' }]);
    expect(ofType(mapTrace(langfuseSpans('langfuse-py.otlp.pb')), 'run.started')).toMatchObject([
      { session_id: 's1', tags: ['t1'], agent: { name: 'my-agent', adapter: 'langfuse' } },
    ]);
  });
});
