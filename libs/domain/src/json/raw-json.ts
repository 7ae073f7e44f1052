/**
 * JSON text that is kept as it was sent: big integers, key order and duplicate keys survive, because
 * nobody turns it into values on the way. The text is known to be one JSON value: it comes from the
 * scanner (`readEnvelope`, `readPayload`) or from the database.
 *
 * A scanned text is a slice of the body that it came from, so holding it holds the whole body in memory:
 * good for the length of a request, wrong for a cache.
 */
export class RawJson {
  /** Refuses look-alikes at compile time; nothing exists at run time. */
  declare private readonly scanned: true;

  private constructor(readonly text: string) {}

  /** Wraps text that is already known to be JSON. Never call it with what a client sent. */
  static trusted(text: string): RawJson {
    return new RawJson(text);
  }

  /** The value as JavaScript sees it: integers over 2^53 are rounded, the last duplicate key wins. */
  parse(): unknown {
    return JSON.parse(this.text);
  }

  /** Refuses the ordinary serializer, which would round numbers in silence; use `encodeJson`. */
  toJSON(): never {
    throw new TypeError('RawJson is written by encodeJson, not by JSON.stringify');
  }
}
