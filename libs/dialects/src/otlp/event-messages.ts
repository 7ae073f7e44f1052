import { firstOf } from './attributes-of.js';
import { JsonView } from './json-view.js';
import { messagesInJson, messagesOf } from './messages-in-json.js';
import { isMembers, jsonTextOf, objectOf, payloadOf } from './payload-of.js';
import type { Attributes, AttributeValue, Span, SpanEvent } from './span.js';
import type { Told } from './told.js';

/** Attributes of a call of a model that an event tells in their stead. */
const DETAILS = 'gen_ai.client.inference.operation.details';

const SPEAKERS: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/** The span with the attributes that its events add; its own stand. */
export function withDetails(span: Span): Span {
  const details = span.events.filter(({ name }) => name === DETAILS);
  return details.length === 0 ? span : { ...span, attributes: withAttributesOf(details, span.attributes) };
}

function withAttributesOf(details: readonly SpanEvent[], attributes: Attributes): Attributes {
  const bodies = details.map((event) => event.attributes.get('body')).filter(isMembers);
  return new Map([
    ...bodies.flatMap((body) => [...body]),
    ...details.flatMap((event) => [...event.attributes]),
    ...attributes,
  ]);
}

/** The messages that went in, one event each, as the first generation of the conventions told them. */
export function inputsInEvents(events: readonly SpanEvent[]): Told[] {
  return events.flatMap((event) => {
    const speaker = Object.hasOwn(SPEAKERS, event.name) ? SPEAKERS[event.name] : undefined;
    if (speaker !== undefined) return inputOf(bodyOf(event), speaker);
    return event.name === 'gen_ai.content.prompt'
      ? inText(event.attributes.get('gen_ai.prompt'), 'user')
      : [];
  });
}

/** What a tool answered has the id of its call under the name `id`. */
function inputOf(body: JsonView, speaker: string): Told[] {
  const callId = speaker === 'tool' ? body.textAt('id') : undefined;
  const told = messagesOf(body, speaker);
  return callId === undefined ? told : told.map((message) => ({ toolCallId: callId, ...message }));
}

/** The messages that came out. */
export function outputsInEvents(events: readonly SpanEvent[]): Told[] {
  return events.flatMap((event) => {
    if (event.name === 'gen_ai.choice') return messagesOf(bodyOf(event), 'assistant');
    if (event.name !== 'gen_ai.content.completion') return [];
    return inText(event.attributes.get('gen_ai.completion'), 'assistant');
  });
}

function inText(value: AttributeValue | undefined, otherwise: string): Told[] {
  const view = JsonView.of(value);
  return view === undefined ? [] : messagesInJson(view, otherwise);
}

/** The message itself: the body of a log record, a text with JSON in it, or the attributes. */
function bodyOf({ attributes }: SpanEvent): JsonView {
  const body = firstOf(attributes, ['body', 'gen_ai.event.content', 'event_body']);
  const view = isMembers(body) ? undefined : JsonView.of(body);
  if (view?.isObject === true) return view;
  const members = [...(isMembers(body) ? body : attributes)];
  const texts = members.map(([name, value]) => [name, memberText(name, value)] as const);
  return JsonView.of(objectOf(texts)) as JsonView;
}

/** Attributes can hold no objects everywhere, so some of them are told as texts. */
function memberText(name: string, value: AttributeValue): string {
  return name === 'message' || name === 'tool_calls' ? payloadOf(value).text : jsonTextOf(value);
}
