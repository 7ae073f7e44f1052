import { textOf } from './attributes-of.js';
import { inputsInEvents, outputsInEvents } from './event-messages.js';
import { INDEXED, indexedMessages } from './indexed-messages.js';
import { JsonView } from './json-view.js';
import { messagesInJson } from './messages-in-json.js';
import { addPart } from './parts-of-message.js';
import { responseOfAiSdk } from './response-of-ai-sdk.js';
import type { SpanPayloads } from './span-payloads.js';
import type { SpanRole } from './span-role.js';
import type { Attributes, Span } from './span.js';
import { type AskedCall, checkNumber, complete, saysNothing, type Told, toldBy } from './told.js';

/** What was said in a call of a model. */
export interface Conversation {
  /** With the instructions in front. */
  inputs: Told[];
  outputs: Told[];
  /** The calls of tools that the model asked for. */
  asked: AskedCall[];
}

/** Of who says nothing. */
export const SILENCE: Conversation = { inputs: [], outputs: [], asked: [] };

/** Attributes that hold messages, before those with one attribute for each word, and after them. */
const INPUTS = {
  before: ['gen_ai.input.messages', 'langfuse.observation.input'],
  after: [
    'ai.prompt.messages',
    'ai.prompt',
    'gen_ai.prompt',
    'mastra.model_inference.input',
    'mastra.model_step.input',
    'mastra.agent_run.input',
    'gcp.vertex.agent.llm_request',
    'pydantic_ai.all_messages',
    'all_messages_events',
    'input.value',
  ],
};
const OUTPUTS = {
  before: ['gen_ai.output.messages', 'langfuse.observation.output'],
  after: ['gen_ai.completion', 'mastra.model_step.output', 'gcp.vertex.agent.llm_response', 'output.value'],
};

/**
 * Reads the messages of a span, from the first convention that tells any, and notes which attributes were read. Who is
 * neither a model nor an agent says nothing.
 */
export function conversationOf(
  span: Span,
  payloads: SpanPayloads,
  role: SpanRole,
  taken: Set<string>,
): Conversation {
  const isStepOfMastra = span.attributes.has('mastra.model_step.input');
  if (role !== 'llm' && role !== 'agent' && !isStepOfMastra) return SILENCE;
  const { attributes } = span;
  const told = { system: systemIn(attributes, taken), inputs: inputsOf(span, payloads, taken) };
  const isRepeated = told.inputs[0]?.role === 'system' && told.inputs[0].content === told.system?.content;
  const inputs = told.system === undefined || isRepeated ? told.inputs : [told.system, ...told.inputs];
  const said = outputsOf(span, payloads, taken);
  const answer = said.length === 0 && inputs.length > 0 ? answerOfLangfuse(attributes, taken) : said;
  const outputs = withFinishReason(answer, attributes);
  return {
    inputs: inputs.map(complete),
    outputs: outputs.map(complete),
    asked: askedIn(outputs, attributes),
  };
}

function inputsOf({ attributes, events }: Span, payloads: SpanPayloads, taken: Set<string>): Told[] {
  return (
    toldUnder(INPUTS.before, (name) => inJson(payloads, name, 'user', taken)) ??
    toldUnder(INDEXED.inputs, (prefix) => inIndexed(attributes, prefix, 'user', taken)) ??
    toldUnder(INPUTS.after, (name) => inJson(payloads, name, 'user', taken)) ??
    heardIn(inputsInEvents(events)) ??
    []
  );
}

function outputsOf({ attributes, events }: Span, payloads: SpanPayloads, taken: Set<string>): Told[] {
  return (
    toldUnder(OUTPUTS.before, (name) => inJson(payloads, name, 'assistant', taken)) ??
    toldUnder(INDEXED.outputs, (prefix) => inIndexed(attributes, prefix, 'assistant', taken)) ??
    heardIn(responseOfAiSdk(attributes, taken)) ??
    toldUnder(OUTPUTS.after, (name) => inJson(payloads, name, 'assistant', taken)) ??
    heardIn(outputsInEvents(events)) ??
    []
  );
}

/** What is told under the first of the names that tells anything. */
function toldUnder(names: readonly string[], read: (name: string) => Told[]): Told[] | undefined {
  for (const name of names) {
    const heard = heardIn(read(name));
    if (heard !== undefined) return heard;
  }
  return undefined;
}

/** An answer without a word is none. */
function heardIn(told: Told[]): Told[] | undefined {
  if (told.length === 0) return undefined;
  checkNumber(told);
  const heard = told.filter((message) => !saysNothing(message) || message.role !== 'assistant');
  return heard.length === 0 ? undefined : heard;
}

function inJson(payloads: SpanPayloads, name: string, otherwise: string, taken: Set<string>): Told[] {
  const payload = payloads.at(name);
  if (payload === undefined) return [];
  const told = messagesInJson(new JsonView(payload), otherwise);
  if (told.length > 0) taken.add(name);
  return told;
}

/** A plain text is an answer only to what was asked in messages; other spans put out texts, too. */
function answerOfLangfuse(attributes: Attributes, taken: Set<string>): Told[] {
  const said = JsonView.of(attributes.get('langfuse.observation.output'))?.said();
  if (said === undefined || said === '') return [];
  taken.add('langfuse.observation.output');
  return [{ ...toldBy('assistant'), content: said }];
}

function inIndexed(attributes: Attributes, prefix: string, otherwise: string, taken: Set<string>): Told[] {
  const told = indexedMessages(attributes, prefix, otherwise);
  if (told.length > 0) for (const name of attributes.keys()) if (name.startsWith(prefix)) taken.add(name);
  return told;
}

/** The instructions are a list of parts, or a text. */
function systemIn(attributes: Attributes, taken: Set<string>): Told | undefined {
  const view = JsonView.of(attributes.get('gen_ai.system_instructions'));
  if (view === undefined) return undefined;
  taken.add('gen_ai.system_instructions');
  const told = toldBy('system');
  for (const part of view.isList ? view.elements() : [view]) addPart(part, told, []);
  return saysNothing(told) ? undefined : told;
}

function withFinishReason(outputs: Told[], attributes: Attributes): Told[] {
  const last = outputs.at(-1);
  const said =
    finishReasonOf(attributes) ?? textOf(attributes, ['llm.finish_reason', 'ai.response.finishReason']);
  if (last === undefined || last.finishReason !== undefined || said === undefined) return outputs;
  return [...outputs.slice(0, -1), { ...last, finishReason: said }];
}

/** A list of texts; the first is of the one answer that is usual. Mastra writes the list as JSON text. */
function finishReasonOf(attributes: Attributes): string | undefined {
  const reasons = JsonView.of(attributes.get('gen_ai.response.finish_reasons'));
  return (reasons?.isList === true ? reasons.elements()[0] : reasons)?.said();
}

/** OpenInference's words for messages leave out calls of LangChain, whose own output has them. */
function askedIn(outputs: readonly Told[], attributes: Attributes): AskedCall[] {
  const asked = outputs.flatMap(({ toolCalls }) => toolCalls);
  const output = attributes.get('output.value');
  if (asked.length > 0 || typeof output !== 'string' || !output.startsWith('{')) return asked;
  return messagesInJson(JsonView.of(output) as JsonView, 'assistant').flatMap(({ toolCalls }) => toolCalls);
}
