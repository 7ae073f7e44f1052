import type { MessageSent } from '@agentflow/contracts';
import { canonicalJson, type RawJson } from '@agentflow/domain';
import { derivedId } from '../derived-id.js';
import { cut } from './fitting.js';
import { adapterOf } from './span-names.js';
import { momentOf } from './span-times.js';
import { parentOf, type SpanNode, type SpanTree, stepIdOf } from './span-tree.js';
import type { OfRun } from './steps-of-trace.js';
import { type AskedCall, LONGEST_WORD, type Told } from './told.js';

/** A message that somebody said, and when. */
export interface Said {
  id: string;
  told: Told;
  node: SpanNode;
  at: bigint;
}

/**
 * The messages of a trace, each once. Calls of models repeat all that was said before, so a message is known by what it
 * says and everything that was said before it: what is repeated is the same, and a second "ok" is another. That takes no
 * look at other spans, so a message keeps its id whatever else arrives.
 */
export function messagesOfTrace(tree: SpanTree): Said[] {
  const said = new Map<string, Said>();
  for (const node of speakersOf(tree)) {
    const inputs = inputsOf(node, tree);
    if (inputs === undefined) continue;
    let before = tree.traceId;
    const tell = (told: Told, at: bigint): void => {
      const id = idAfter(before, told);
      before = id;
      if (!said.has(id)) said.set(id, { id, told, node, at });
    };
    for (const told of inputs) tell(told, node.start);
    for (const told of node.conversation.outputs) tell(told, node.span.endedAt || node.start);
  }
  return [...said.values()];
}

/** A message as an item. */
export function messageItemOf({ id, told, node, at }: Said, ofRun: OfRun): MessageSent<RawJson> {
  return {
    type: 'message',
    ...ofRun,
    id,
    at: momentOf(at),
    role: told.role,
    ...(node.isStep ? { step_id: stepIdOf(node) } : {}),
    ...(told.name === undefined ? {} : { name: cut(told.name, LONGEST_WORD) }),
    ...(told.content === '' && told.toolCalls.length + told.parts.length > 0
      ? {}
      : { content: told.content }),
    ...(told.toolCallId === undefined ? {} : { tool_call_id: cut(told.toolCallId, LONGEST_WORD) }),
    ...(told.extra === undefined ? {} : { extra: told.extra }),
  };
}

/**
 * Libraries whose agents always have a span for each call of a model below them; OpenTelemetry's own for OpenAI Agents sums
 * up in an agent what those tell. Others may report agents alone, and would never be heard if they were waited for.
 */
const TELL_EACH_CALL = new Set(['ai-sdk', 'langgraph', 'mastra', 'openai-agents', 'pydantic-ai']);

/**
 * Who speaks: the innermost calls of models. Agents do only when nothing is known of what their models said; a library
 * that tells each call is waited for, since what its agents say in sum is told once more and otherwise.
 */
function speakersOf(tree: SpanTree): SpanNode[] {
  const outer = outerModelsOf(tree);
  const models = tree.nodes.filter((node) => node.role === 'llm' && !outer.has(node));
  if (models.some(isHeard)) return models;
  const agents = tree.nodes.filter(({ role, outcome }) => role === 'agent' && outcome !== undefined);
  return agents.filter((node) => isHeard(node) && !TELL_EACH_CALL.has(adapterOf(node.span)));
}

function isHeard({ conversation }: SpanNode): boolean {
  return conversation.inputs.length + conversation.outputs.length > 0;
}

/** The calls of models that another one stands below of. */
function outerModelsOf({ nodes, byId }: SpanTree): ReadonlySet<SpanNode> {
  const above = new Set<SpanNode>();
  for (const node of nodes) {
    if (node.role !== 'llm') continue;
    for (let at = parentOf(node, byId); at !== undefined && !above.has(at); at = parentOf(at, byId))
      above.add(at);
  }
  return above;
}

/** Mastra tells what went into a model at the step around it; until that is known nobody knows what came before. */
function inputsOf(node: SpanNode, { byId }: SpanTree): readonly Told[] | undefined {
  const { inputs } = node.conversation;
  const isTold =
    inputs.length > 0 || node.span.parentSpanId === undefined || adapterOf(node.span) !== 'mastra';
  return isTold ? inputs : parentOf(node, byId)?.conversation.inputs;
}

/** The id of a message, by what was said before it; not by why a model stopped, nor what it thought, which is not repeated. */
function idAfter(before: string, { role, content, toolCallId = '', toolCalls, parts }: Told): string {
  const beside =
    toolCalls.length + parts.length === 0
      ? ''
      : JSON.stringify([toolCalls.map(wordsOf), parts.map(canonicalJson)]);
  return derivedId('message', before, role, content, toolCallId, beside);
}

function wordsOf({ id = '', name, arguments: args }: AskedCall): string[] {
  return [id, name, args === undefined ? '' : canonicalJson(args)];
}
