import type { RawJson } from '@agentflow/domain';
import { payloadOf } from './payload-of.js';
import type { Attributes } from './span.js';

/** The payloads that a span's attributes hold, each read once: what went into a model is kept, and looked into for messages. */
export class SpanPayloads {
  private readonly known = new Map<string, RawJson>();

  constructor(private readonly attributes: Attributes) {}

  /** The payload under a name; nothing when there is none or null. Throws `Unkeepable`. */
  at(name: string): RawJson | undefined {
    const value = this.attributes.get(name);
    if (value === undefined || value === null) return undefined;
    const payload = this.known.get(name) ?? payloadOf(value);
    this.known.set(name, payload);
    return payload;
  }
}
