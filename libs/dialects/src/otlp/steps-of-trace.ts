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
import { addUsage } from './step-usage.js';

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
  const { outcome, parentStep, names } = node;
  const fitting = new Fitting();
  const started: StepStarted<RawJson> = {
    type: 'step.started',
    run_id: ofRun.run_id,
    agent: ofRun.agent,
    id: stepIdOf(node),
    at: momentOf(node.start),
    node: fitting.text('node', nodeNameOf(node)),
    kind: kindOf(node),
    parent_step_id: parentStep && stepIdOf(parentStep),
    input: node.input,
    external_id: node.span.spanId,
    model: names.model && fitting.text('model', names.model),
    provider: names.provider && fitting.text('provider', names.provider),
  };
  const items = outcome === undefined ? [started] : [started, finishedOf(node, ofRun, outcome, fitting)];
  addFacts(items.at(-1) as StepFacts<RawJson>, node);
  started.metadata = fitting.isCut ? metadataOf([...node.rest, ...fitting.member()]) : node.metadata;
  return items;
}

function finishedOf(
  node: SpanNode,
  ofRun: OfRun,
  { status, error, errorType }: Outcome,
  fitting: Fitting,
): StepFinished<RawJson> {
  return {
    type: 'step.finished',
    run_id: ofRun.run_id,
    agent: ofRun.agent,
    id: stepIdOf(node),
    at: momentOf(node.span.endedAt),
    status,
    error: error && fitting.text('error', error),
    error_type: errorType && fitting.text('error_type', errorType),
  };
}

/** What came out of it stands in its last item. */
function addFacts(item: StepFacts<RawJson>, { output, usage }: SpanNode): void {
  item.output = output;
  if (usage !== undefined) addUsage(item, usage);
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
