import type { Refusal } from '../reported-items.js';
import { derivedId } from '../derived-id.js';
import type { LogRecord } from './log-record.js';
import { logsBySpan, withLogs } from './logs-of-span.js';
import { Unkeepable } from './payload-of.js';
import { factsOf, type SpanFacts } from './span-facts.js';
import { secondOfTrace, startOf } from './span-times.js';
import type { Span } from './span.js';

/** A span with its place among those of its trace that are known. */
export interface SpanNode extends SpanFacts {
  start: bigint;
  depth: number;
  isStep: boolean;
  /** The nearest step above, as far as the way there is known. */
  parentStep: SpanNode | undefined;
}

/** The known spans of one trace. */
export interface SpanTree {
  traceId: string;
  /** The span without a parent that began first: it stands for the run. */
  root: SpanNode | undefined;
  /** By start, parents before their children where clocks tie. */
  nodes: SpanNode[];
  byId: ReadonlyMap<string, SpanNode>;
  refused: Refusal[];
  /** How many spans have nothing to do with the agent. */
  dropped: number;
}

/** Puts the spans of one trace in their places, whatever order they came in. Of one sent twice the later counts. */
export function spanTreeOf(spans: readonly Span[], logs: readonly LogRecord[]): SpanTree {
  const [first] = spans;
  if (first === undefined) throw new RangeError('a trace has at least one span');
  const latest = latestOf(spans);
  const logsOf = logsBySpan(logs);
  const refused: Refusal[] = [];
  const otherwise = secondOfTrace([...latest.values()]);
  const byId = new Map<string, SpanNode>();
  for (const span of latest.values()) {
    const facts = keepOrRefuse(span, logsOf.get(span.spanId) ?? [], refused);
    if (facts === undefined) continue;
    byId.set(span.spanId, placedAt(startOf(span, otherwise), facts));
  }
  setDepths(byId);
  const nodes = [...byId.values()].sort(inOrder);
  const root = nodes.find(({ span }) => span.parentSpanId === undefined);
  for (const node of nodes) node.isStep = isStep(node, root);
  for (const [node, step] of nearestAbove(byId, (above) => above.isStep)) {
    if (step !== undefined) node.parentStep = step;
  }
  const dropped = nodes.filter((node) => node.role === 'foreign' && node !== root).length;
  return { traceId: first.traceId, root, nodes, byId, refused, dropped };
}

/** Of a span that is there twice the later counts, unless the earlier has an end and the later has none. */
function latestOf(spans: readonly Span[]): Map<string, Span> {
  const latest = new Map<string, Span>();
  for (const span of spans) {
    const known = latest.get(span.spanId);
    if (known === undefined || known.endedAt === 0n || span.endedAt > 0n) latest.set(span.spanId, span);
  }
  return latest;
}

const STEP_IDS = new WeakMap<Span, string>();

/** The id of the step that a span is. */
export function stepIdOf({ span }: Pick<SpanNode, 'span'>): string {
  const known = STEP_IDS.get(span);
  if (known !== undefined) return known;
  const id = derivedId(span.traceId, span.spanId);
  STEP_IDS.set(span, id);
  return id;
}

/** A node's parent, when it is known. */
export function parentOf(node: SpanNode, byId: ReadonlyMap<string, SpanNode>): SpanNode | undefined {
  return node.span.parentSpanId === undefined ? undefined : byId.get(node.span.parentSpanId);
}

/**
 * What a root says of a run is no step as well, unless it is itself what the run did: the call of a model, for example.
 * Spans of other things are none, even where nothing else is known yet: it may come.
 */
function isStep(node: SpanNode, root: SpanNode | undefined): boolean {
  if (node.role === 'tool' || node.role === 'folded' || node.role === 'foreign') return false;
  return node !== root || !['agent', 'chain', 'unknown'].includes(node.role);
}

/** Log records that cannot be kept are refused by themselves, and not the span with them. */
function keepOrRefuse(span: Span, logs: readonly LogRecord[], refused: Refusal[]): SpanFacts | undefined {
  const whole = logs.length === 0 ? undefined : factsOrRefuse(withLogs(span, logs), 'Its logs: ', refused);
  return whole ?? factsOrRefuse(span, '', refused);
}

function factsOrRefuse(span: Span, what: string, refused: Refusal[]): SpanFacts | undefined {
  try {
    return factsOf(span);
  } catch (error) {
    if (!(error instanceof Unkeepable)) throw error;
    refused.push({ id: span.spanId, detail: `${what}${error.message}` });
    return undefined;
  }
}

/** Its place is found when all are known. */
function placedAt(start: bigint, facts: SpanFacts): SpanNode {
  const node = facts as SpanNode;
  node.start = start;
  node.depth = 0;
  node.isStep = false;
  node.parentStep = undefined;
  return node;
}

/** What ties is told apart by its id: the order of arrival is another one each time. */
function inOrder(a: SpanNode, b: SpanNode): number {
  if (a.start !== b.start) return a.start < b.start ? -1 : 1;
  return a.depth - b.depth || (a.span.spanId < b.span.spanId ? -1 : 1);
}

/** Each chain of parents is walked once; a circle of parents is cut where it was entered. */
function setDepths(byId: ReadonlyMap<string, SpanNode>): void {
  const known = new Set<SpanNode>();
  for (const node of byId.values()) {
    const path: SpanNode[] = [];
    let at: SpanNode | undefined = node;
    while (at !== undefined && !known.has(at)) {
      known.add(at);
      path.push(at);
      at = parentOf(at, byId);
    }
    let depth = at === undefined || path.includes(at) ? -1 : at.depth;
    for (const below of path.reverse()) below.depth = ++depth;
  }
}

/**
 * The nearest span above each that is what is asked for. What is above an unknown parent is unknown. Each chain of
 * parents is walked once, and a circle of them ends where it was entered.
 */
export function nearestAbove(
  byId: ReadonlyMap<string, SpanNode>,
  isIt: (node: SpanNode) => boolean,
): ReadonlyMap<SpanNode, SpanNode | undefined> {
  const above = new Map<SpanNode, SpanNode | undefined>();
  for (const node of byId.values()) {
    const path: SpanNode[] = [];
    let at: SpanNode | undefined = node;
    let found: SpanNode | undefined;
    while (at !== undefined && found === undefined && !above.has(at)) {
      above.set(at, undefined);
      path.push(at);
      at = parentOf(at, byId);
      if (at !== undefined && isIt(at)) found = at;
    }
    found ??= at === undefined ? undefined : above.get(at);
    for (const below of path) above.set(below, found === below ? undefined : found);
  }
  return above;
}
