import type { Outcome } from './outcome-of.js';
import { objectOf } from './payload-of.js';

/** The longest texts that an item may hold, by member. */
const LONGEST = {
  node: 256,
  name: 256,
  model: 256,
  provider: 256,
  session_id: 256,
  error_type: 256,
  error: 65_536,
  provider_call_id: 256,
};

/**
 * Texts that have to fit into an item. One that is too long is cut, never in half a character, and goes whole into the
 * metadata, under `whole`.
 */
export class Fitting {
  private readonly whole: [string, string][] = [];

  text(member: keyof typeof LONGEST, text: string): string {
    const length = LONGEST[member];
    if (text.length > length) this.whole.push([member, text]);
    return cut(text, length);
  }

  /** Whether there was one that did not fit. */
  get isCut(): boolean {
    return this.whole.length > 0;
  }

  error({ error, errorType }: Outcome): { error?: string; error_type?: string } {
    return {
      ...(error === undefined ? {} : { error: this.text('error', error) }),
      ...(errorType === undefined ? {} : { error_type: this.text('error_type', errorType) }),
    };
  }

  /** The member for the metadata; nothing when all texts fitted. */
  member(): [string, string][] {
    if (this.whole.length === 0) return [];
    return [['whole', objectOf(this.whole.map(([member, text]) => [member, wholeText(text)]))]];
  }
}

/** What is longer than a name can be by any mistake is told by its length. */
function wholeText(text: string): string {
  return text.length <= 4_096 ? JSON.stringify(text) : `{"length":${text.length}}`;
}

/** The text, or its beginning with an ellipsis. */
export function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
