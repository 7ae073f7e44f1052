/** What an observation is, by the type of the event that makes it or, in later SDKs, by its own. */
const KINDS = {
  agent: 'agent',
  chain: 'chain',
  embedding: 'embedding',
  evaluator: 'evaluator',
  event: 'event',
  generation: 'llm',
  guardrail: 'guardrail',
  retriever: 'retriever',
  span: 'chain',
  tool: 'tool',
} as const satisfies Readonly<Record<string, string>>;

export type ObservationType = keyof typeof KINDS;

/** All types of events that say something of a run. */
export const EVENT_TYPES: ReadonlySet<string> = new Set([
  'trace-create',
  'score-create',
  ...['observation', ...Object.keys(KINDS)].flatMap((type) => [`${type}-create`, `${type}-update`]),
]);

/** What the SDK says of itself is understood, and not kept. */
export function isIgnored(type: string): boolean {
  return type === 'sdk-log';
}

/** Whether an event is about an observation; others are about the trace, or a score. */
export function isObservation(type: string): boolean {
  return type !== 'trace-create' && type !== 'score-create';
}

/** The type of an observation, by its event's or its own; undefined while an update is all that is known and tells none. */
export function observationType(eventType: string, own: string | undefined): ObservationType | undefined {
  const said = [eventType.split('-', 1)[0], own?.toLowerCase()];
  return said.find(isType) ?? (eventType.endsWith('-create') ? 'span' : undefined);
}

function isType(name: string | undefined): name is ObservationType {
  return name !== undefined && Object.hasOwn(KINDS, name);
}

/** The kind of step that an observation is. */
export function kindOf(type: ObservationType): string {
  return KINDS[type];
}
