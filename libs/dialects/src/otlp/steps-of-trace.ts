import type { StepFacts, StepFinished, StepStarted } from '@agentflow/contracts';
import type { RawJson } from '@agentflow/domain';
import type { Item } from '../reported-items.js';
import { textOf } from './attributes-of.js';
import { Fitting } from './fitting.js';
import type { Outcome } from './outcome-of.js';
import { metadataOf } from './payload-of.js';
import { langGraphNodeOf } from './span-role.js';
import { momentOf } from './span-times.js';
import { type SpanNode, type SpanTree, stepIdOf } from './span-tree.js';
import { usageFactsOf } from './step-usage.js';

/** What every item below a run says of it. */
export interface OfRun {
  run_id: string;
  agent?: StepStarted<RawJson>['agent'];
}

/** Each step with its end, in the order of their starts. */
export function stepsOfTrace({ nodes }: SpanTree, ofRun: OfRun): Item[] {
  return nodes.filter(({ isStep }) => isStep).flatMap((node) => itemsOf(node, ofRun));
}

function itemsOf(node: SpanNode, ofRun: OfRun): Item[] {
  const { span, outcome, parentStep, input } = node;
  const fitting = new Fitting();
  const facts = factsOf(node);
  const ending = outcome === undefined ? undefined : { ...facts, ...fitting.error(outcome) };
  const started: StepStarted<RawJson> = {
    type: 'step.started',
    ...ofRun,
    id: stepIdOf(node),
    at: momentOf(node.start),
    node: fitting.text('node', nodeNameOf(node)),
    kind: kindOf(node),
    ...(parentStep === undefined ? {} : { parent_step_id: stepIdOf(parentStep) }),
    ...(input === undefined ? {} : { input }),
    external_id: span.spanId,
    ...modelOf(node, fitting),
    ...(outcome === undefined ? facts : {}),
  };
  const metadata = metadataOf([...node.rest, ...fitting.member()]);
  if (metadata !== undefined) started.metadata = metadata;
  return ending === undefined ? [started] : [started, finishedOf(node, ofRun, ending, outcome as Outcome)];
}

function finishedOf(
  node: SpanNode,
  ofRun: OfRun,
  facts: StepFacts<RawJson>,
  { status }: Outcome,
): StepFinished<RawJson> {
  return {
    type: 'step.finished',
    ...ofRun,
    id: stepIdOf(node),
    at: momentOf(node.span.endedAt),
    status,
    ...facts,
  };
}

function factsOf({ output, usage }: SpanNode): StepFacts<RawJson> {
  return { ...(output === undefined ? {} : { output }), ...usageFactsOf(usage) };
}

function modelOf({ names }: SpanNode, fitting: Fitting): StepFacts<RawJson> {
  return {
    ...(names.model === undefined ? {} : { model: fitting.text('model', names.model) }),
    ...(names.provider === undefined ? {} : { provider: fitting.text('provider', names.provider) }),
  };
}

function kindOf({ role }: SpanNode): string {
  return role === 'unknown' || role === 'foreign' ? 'span' : role;
}

/** The node of a graph where there is one; else what the span is called. */
function nodeNameOf(node: SpanNode): string {
  const { span, names, role } = node;
  return (
    langGraphNodeOf(span.attributes) ??
    textOf(span.attributes, ['graph.node.id', 'executor.id']) ??
    (role === 'agent' ? names.agent : undefined) ??
    textOf(span.attributes, ['traceloop.entity.name']) ??
    (span.name === '' ? kindOf(node) : span.name)
  );
}
