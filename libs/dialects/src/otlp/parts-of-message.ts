import { payloadOf } from './payload-of.js';
import type { JsonView } from './json-view.js';
import { type AskedCall, type Told, toldBy } from './told.js';

/*
 * The parts of messages, under the names that the conventions and the providers give them.
 */

const TEXTS = new Set(['text', 'input_text', 'output_text', 'refusal']);
const CALLS = new Set(['tool_call', 'tool-call', 'tool_use', 'function_call', 'function']);
const ANSWERS = new Set([
  'tool_call_response',
  'tool-result',
  'tool_result',
  'function_call_output',
  'tool_response',
]);
const THOUGHTS = new Set(['reasoning', 'thinking']);

/**
 * Adds a part to the message that it stands in. What a tool answered is a message of its own, whatever the role of the
 * message that it comes in: some reporters tell it as the user's.
 */
export function addPart(part: JsonView, told: Told, answers: Told[]): void {
  const said = part.said();
  const type = part.textAt('type');
  const call = part.member('functionCall', 'function_call');
  const answer = part.member('functionResponse', 'function_response');
  if (said !== undefined) told.content += said;
  else if (type !== undefined && CALLS.has(type)) addCall(part, told);
  else if (type !== undefined && ANSWERS.has(type)) answers.push(answerOf(part));
  else if (call?.isObject === true) addCall(call, told);
  else if (answer?.isObject === true) answers.push(answerOf(answer));
  else if (type !== undefined && THOUGHTS.has(type)) addThought(part, told);
  else if (type === undefined || TEXTS.has(type)) addText(part, told);
  else told.parts.push(part.text);
}

/** A call that stands in a message twice, as a part and in its list of calls, is one. */
export function addCall(view: JsonView, told: Told): void {
  const call = callOf(view);
  if (call === undefined) return void told.parts.push(view.text);
  if (call.id !== undefined && told.toolCalls.some(({ id }) => id === call.id)) return;
  told.toolCalls.push(call);
}

function callOf(view: JsonView): AskedCall | undefined {
  const inner = view.member('function');
  const name = view.textAt('name', 'toolName', 'tool_name') ?? inner?.textAt('name');
  if (name === undefined) return undefined;
  const id = view.textAt('call_id', 'id', 'toolCallId', 'tool_call_id');
  const given = view.member('arguments', 'args', 'input') ?? inner?.member('arguments');
  const payload = given && payloadOf(given.said() ?? given.text);
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(payload === undefined ? {} : { arguments: payload }),
  };
}

function answerOf(view: JsonView): Told {
  const told = toldBy('tool');
  const id = view.textAt('call_id', 'id', 'toolCallId', 'tool_call_id', 'tool_use_id');
  const name = view.textAt('name', 'toolName', 'tool_name');
  if (id !== undefined) told.toolCallId = id;
  if (name !== undefined) told.name = name;
  told.content = contentOfAnswer(view.member('response', 'result', 'output', 'content'));
  return told;
}

function contentOfAnswer(answer: JsonView | undefined): string {
  if (answer === undefined) return '';
  const value = answer.member('type') === undefined ? undefined : answer.member('value');
  if (value !== undefined) return value.said() ?? value.text;
  const texts = answer
    .elements()
    .map((part) => (part.textAt('type') === 'text' ? part.textAt('text') : undefined));
  if (texts.length > 0 && texts.every((text) => text !== undefined)) return texts.join('');
  return answer.said() ?? answer.text;
}

function addThought(part: JsonView, told: Told): void {
  const thought = part.textAt('content', 'text', 'thinking', 'reasoning');
  if (thought !== undefined) told.reasoning = (told.reasoning ?? '') + thought;
}

function addText(part: JsonView, told: Told): void {
  const text = part.member('content', 'text')?.said();
  if (text !== undefined) told.content += text;
  else if (part.text !== '{}') told.parts.push(part.text);
}
