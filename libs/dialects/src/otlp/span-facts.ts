import type { RawJson } from '@agentflow/domain';
import { ARGUMENTS, INPUTS, OUTPUTS, RESULTS, RUN_INPUTS, RUN_OUTPUTS } from './payload-names.js';
import { checkText, isMembers, metadataOf, Unkeepable } from './payload-of.js';
import { withDetails } from './event-messages.js';
import { inputOfModel } from './input-of-model.js';
import { type Outcome, outcomeOf } from './outcome-of.js';
import { restOf } from './rest-of-span.js';
import { attributesOfNames, namesOf, type SpanNames } from './span-names.js';
import { isKeptAnyway, type SpanRole, spanRoleOf } from './span-role.js';
import { SpanPayloads } from './span-payloads.js';
import type { AttributeValue, Span } from './span.js';
import { USAGE_ATTRIBUTES, type Usage, usageOf } from './usage.js';
import { type Conversation, conversationOf, SILENCE } from './conversation-of.js';

/** A span as far as it says something by itself, whatever else of its trace is known. */
export interface SpanFacts {
  span: Span;
  role: SpanRole;
  names: SpanNames;
  /** What went in and what came out; of a tool its arguments and its result. */
  input: RawJson | undefined;
  output: RawJson | undefined;
  /** What the run was given and gave, which some say at any of its spans. */
  runInput: RawJson | undefined;
  runOutput: RawJson | undefined;
  /** Nothing while the span has no end. */
  outcome: Outcome | undefined;
  /** Of a call of a model only: who is above repeats what was used below. */
  usage: Usage | undefined;
  conversation: Conversation;
  /** What is left, by name, as JSON texts. */
  rest: ReadonlyMap<string, string>;
  /** The same in one. */
  metadata: RawJson | undefined;
}

/** Kinds of spans whose usage is their own. */
const USERS: ReadonlySet<SpanRole> = new Set(['llm', 'embedding', 'reranker', 'guardrail', 'evaluator']);

/**
 * Reads a span. Throws `Unkeepable` when something in it cannot be kept as it is; of a root and of an agent what went in, what
 * came out and what was said may be missing then.
 */
export function factsOf(reported: Span): SpanFacts {
  checkTexts(reported);
  const span = withDetails(reported);
  const role = spanRoleOf(span);
  const names = namesOf(span.attributes);
  const taken = attributesOfNames(names, span.attributes);
  const isTool = role === 'tool';
  const payloads = new SpanPayloads(span.attributes);
  const dropped = new Set<string>();
  const orDropped = <T>(what: 'input' | 'output' | 'messages', read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof Unkeepable) || !isKeptAnyway(span, role)) throw error;
      dropped.add(`${what}_dropped`);
      return undefined;
    }
  };
  const payloadAt = (among: readonly string[], what: 'input' | 'output'): RawJson | undefined =>
    orDropped(what, () => firstPayload(span, payloads, among, taken));
  const given = payloadAt(isTool ? ARGUMENTS : INPUTS, 'input');
  const input = role === 'llm' ? inputOfModel(span.attributes, given, taken) : given;
  const output = payloadAt(isTool ? RESULTS : OUTPUTS, 'output');
  const runInput = payloadAt(RUN_INPUTS, 'input');
  const runOutput = payloadAt(RUN_OUTPUTS, 'output');
  const usage = USERS.has(role) ? usageOf(span.attributes) : undefined;
  if (usage !== undefined)
    for (const name of span.attributes.keys()) if (USAGE_ATTRIBUTES.has(name)) taken.add(name);
  const outcome = outcomeOf(span);
  const heard = new Set<string>();
  const said = orDropped('messages', () => conversationOf(span, payloads, role, heard));
  // Of an agent it may not be used, so nothing of it is left out elsewhere.
  if (said && role === 'llm') for (const name of heard) taken.add(name);
  const rest = restOf(span, taken, outcome?.stack);
  for (const name of dropped) rest.set(name, 'true');
  const metadata = metadataOf(rest);
  return {
    span,
    role,
    names,
    input,
    output,
    runInput,
    runOutput,
    outcome,
    usage,
    conversation: said ?? SILENCE,
    rest,
    metadata,
  };
}

/** The payload under the first of the names that is there and not empty. */
function firstPayload(
  span: Span,
  payloads: SpanPayloads,
  names: readonly string[],
  taken: Set<string>,
): RawJson | undefined {
  for (const name of names) {
    const value = span.attributes.get(name);
    if (value === undefined || value === null || value === '') continue;
    const payload = payloads.at(name);
    taken.add(name);
    return payload;
  }
  return undefined;
}

/** Resources that were found good; all spans of a process share one. */
const CHECKED = new WeakSet<ReadonlyMap<string, AttributeValue>>();

/** What is kept as text without being read as JSON. Texts in what is structured are checked where it is written out. */
function checkTexts({ name, status, scope, resource, attributes, events }: Span): void {
  for (const text of [name, status.message, scope.name, scope.version]) checkText(text);
  checkMembers(attributes);
  if (!CHECKED.has(resource)) checkMembers(resource);
  CHECKED.add(resource);
  for (const event of events) {
    checkText(event.name);
    checkMembers(event.attributes);
  }
}

function checkMembers(members: ReadonlyMap<string, AttributeValue>): void {
  for (const [name, value] of members) {
    checkText(name);
    checkValue(value);
  }
}

function checkValue(value: AttributeValue): void {
  if (typeof value === 'string') checkText(value);
  else if (isMembers(value)) checkMembers(value);
  else if (Array.isArray(value)) for (const item of value as readonly AttributeValue[]) checkValue(item);
}
