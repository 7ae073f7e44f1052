import { align, changeOf, comparePayloads } from '@agentflow/domain';
import type {
  AlignedStep,
  CallDifference,
  ComparedCall,
  ComparedRun,
  ComparedStep,
  RunChanges,
  StepChanges,
  StepLabel,
} from './comparison-row.js';

/** Every step of both runs once, in order; what lies between two pairs is first what only `a` has, then what only `b` has. */
export function alignSteps(
  a: readonly StepLabel[],
  b: readonly StepLabel[],
): { steps: Omit<AlignedStep, 'changes'>[]; isLongest: boolean } {
  const { pairs, isLongest } = align(a.map(nameOf), b.map(nameOf));
  const steps: Omit<AlignedStep, 'changes'>[] = [];
  const add = (left: StepLabel | undefined, right: StepLabel | undefined): void => {
    const { node, kind } = (left ?? right) as StepLabel;
    steps.push({ position: steps.length, node, kind, a: placeOf(left), b: placeOf(right) });
  };
  let [x, y] = [0, 0];
  for (const [i, j] of [...pairs, [a.length, b.length] as const]) {
    while (x < i) add(a[x++], undefined);
    while (y < j) add(undefined, b[y++]);
    if (i < a.length) add(a[x++], b[y++]);
  }
  return { steps, isLongest };
}

const nameOf = ({ node, kind }: StepLabel): string => JSON.stringify([node, kind]);

function placeOf(step: StepLabel | undefined): AlignedStep['a'] {
  return step === undefined ? null : { id: step.id, index: step.index };
}

export function runChanges(a: ComparedRun, b: ComparedRun): RunChanges {
  return {
    agent_id: changeOf(a.agent_id, b.agent_id),
    agent_version: changeOf(a.agent_version, b.agent_version),
    status: changeOf(a.status, b.status),
    error: changeOf(a.error, b.error),
    input: comparePayloads(a.input, b.input),
    output: comparePayloads(a.output, b.output),
    duration_ms: changeOf(a.duration_ms, b.duration_ms),
    steps: changeOf(a.steps, b.steps),
    failed_steps: changeOf(a.failed_steps, b.failed_steps),
    tool_calls: changeOf(a.tool_calls, b.tool_calls),
    tokens_in: changeOf(a.tokens_in, b.tokens_in),
    tokens_out: changeOf(a.tokens_out, b.tokens_out),
    cost_usd: changeOf(a.cost_usd, b.cost_usd),
  };
}

/** What differs between two steps that belong together; null when nothing does. */
export function stepChanges(
  a: ComparedStep,
  b: ComparedStep,
  callsOfA: readonly ComparedCall[],
  callsOfB: readonly ComparedCall[],
): StepChanges | null {
  const changes: StepChanges = {
    status: changeOf(a.status, b.status),
    error: changeOf(a.error, b.error),
    input: comparePayloads(a.input, b.input),
    output: comparePayloads(a.output, b.output),
    latency_ms: changeOf(a.latency_ms, b.latency_ms),
    tokens_in: changeOf(a.tokens_in, b.tokens_in),
    tokens_out: changeOf(a.tokens_out, b.tokens_out),
    cost_usd: changeOf(a.cost_usd, b.cost_usd),
    model: changeOf(a.model, b.model),
    tool_calls: callDifferences(callsOfA, callsOfB),
  };
  return Object.values(changes).some((one: unknown) => (Array.isArray(one) ? one.length > 0 : one !== null))
    ? changes
    : null;
}

/** The calls that differ: those of one name belong together in their order. */
function callDifferences(a: readonly ComparedCall[], b: readonly ComparedCall[]): CallDifference[] {
  const { pairs } = align(
    a.map(({ name }) => name),
    b.map(({ name }) => name),
  );
  const ofB = new Map(pairs);
  const paired = new Set(pairs.map(([, y]) => y));
  return [
    ...a.flatMap((call, x) => callDifference(call, b[ofB.get(x) ?? -1])),
    ...b.flatMap((call, y) => (paired.has(y) ? [] : callDifference(undefined, call))),
  ];
}

function callDifference(a: ComparedCall | undefined, b: ComparedCall | undefined): CallDifference[] {
  const name = (a ?? b)?.name ?? '';
  const places = { name, a: a?.id ?? null, b: b?.id ?? null };
  if (!a || !b) {
    return [{ ...places, status: null, error: null, arguments: null, result: null, latency_ms: null }];
  }
  const changes = {
    status: changeOf(a.status, b.status),
    error: changeOf(a.error, b.error),
    arguments: comparePayloads(a.arguments, b.arguments),
    result: comparePayloads(a.result, b.result),
    latency_ms: changeOf(a.latency_ms, b.latency_ms),
  };
  return Object.values(changes).some((one) => one !== null) ? [{ ...places, ...changes }] : [];
}
