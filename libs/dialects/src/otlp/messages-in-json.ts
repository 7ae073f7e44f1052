import type { JsonView } from './json-view.js';
import { addCall, addPart } from './parts-of-message.js';
import { checkNumber, saysNothing, type Told, toldBy } from './told.js';

/**
 * The messages that a payload holds, in whatever form a provider or a framework writes them: a message, a list of
 * messages or of lists of them, a request or an answer around them. None when it holds something else. `otherwise` is
 * who speaks where nothing says it.
 */
export function messagesInJson(view: JsonView, otherwise: string): Told[] {
  if (view.isList) {
    const elements = view.elements();
    const areMessages = elements.every((element) => element.isList || isMessage(element));
    const told: Told[] = [];
    for (const element of areMessages ? elements : []) {
      told.push(...messagesInJson(element, otherwise));
      checkNumber(told);
    }
    return told;
  }
  if (!view.isObject) return [];
  if (isMessage(view)) return messagesOf(view, otherwise);
  const system = view.textAt('system');
  const listed = view.member('messages', 'choices', 'generations', 'contents', 'message');
  if (listed !== undefined) {
    const messages = messagesInJson(listed, otherwise);
    return system === undefined ? messages : [{ ...toldBy('system'), content: system }, ...messages];
  }
  const text = view.textAt('text', 'prompt');
  const said = text === undefined ? [] : [{ ...toldBy(otherwise), content: text }];
  return system === undefined ? said : [{ ...toldBy('system'), content: system }, ...said];
}

const LANGCHAIN_TYPES = new Set(['human', 'ai', 'system', 'tool', 'function']);
const ITEMS_OF_RESPONSES = new Set(['function_call', 'function_call_output', 'message', 'reasoning']);

function isMessage(view: JsonView): boolean {
  if (view.member('role') !== undefined) return true;
  const type = view.textAt('type');
  if (type === 'constructor') return view.member('kwargs') !== undefined;
  if (type !== undefined) return LANGCHAIN_TYPES.has(type) || ITEMS_OF_RESPONSES.has(type);
  return view.member('message')?.isObject === true || view.textAt('text') !== undefined;
}

/** One message; what tools answered in it are messages of their own. */
export function messagesOf(view: JsonView, otherwise: string): Told[] {
  const wrapped = view.member('message');
  if (wrapped !== undefined && view.member('role') === undefined) {
    const [first, ...rest] = messagesInJson(wrapped, otherwise);
    const finishReason = view.textAt('finish_reason', 'finishReason');
    if (first === undefined) return [];
    return [finishReason === undefined ? first : { finishReason, ...first }, ...rest];
  }
  const body = view.textAt('type') === 'constructor' ? (view.member('kwargs') ?? view) : view;
  const told = toldBy(roleOf(view) ?? otherwise);
  addWords(told, body);
  const answers: Told[] = [];
  if (body.member('parts', 'content') === undefined && body.member('text') !== undefined)
    addPart(body, told, answers);
  for (const part of partsOf(view, body)) addPart(part, told, answers);
  for (const call of body.member('tool_calls', 'toolCalls')?.elements() ?? []) addCall(call, told);
  const call = body.member('function_call');
  if (call?.isObject === true) addCall(call, told);
  if (saysNothing(told) && answers.length > 0) return answers;
  return told.role === 'assistant' ? [told, ...answers] : [...answers, told];
}

function addWords(told: Told, body: JsonView): void {
  const name = body.textAt('name');
  const callId = body.textAt('tool_call_id', 'toolCallId');
  const finishReason = body.textAt('finish_reason', 'finishReason');
  const reasoning = body.textAt('reasoning_content', 'reasoning');
  if (name !== undefined) told.name = name;
  if (callId !== undefined) told.toolCallId = callId;
  if (finishReason !== undefined) told.finishReason = finishReason;
  if (reasoning !== undefined) told.reasoning = reasoning;
}

/** The content part by part; an object that is no part is told as its JSON. */
function partsOf(view: JsonView, body: JsonView): JsonView[] {
  if (ITEMS_OF_RESPONSES.has(view.textAt('type') ?? '') && body.member('content') === undefined)
    return [view];
  const content = body.member('parts') ?? body.member('content');
  if (content === undefined) return [];
  return content.isList ? content.elements() : [content];
}

/** LangChain names the class of a message instead of a role: `HumanMessage`, `AIMessageChunk`. */
function roleOf(view: JsonView): string | undefined {
  const said = view.textAt('role');
  if (said !== undefined) return said;
  const type = view.textAt('type');
  if (type === 'constructor') {
    const name = view.member('kwargs')?.textAt('role') ?? view.member('id')?.elements().at(-1)?.said();
    return name?.replace(/Message(Chunk)?$/, '');
  }
  return type !== undefined && LANGCHAIN_TYPES.has(type) ? type : undefined;
}
