/**
 * Which members of an envelope are more than ordinary values, by name:
 * - `opaque`: kept as text, for columns of type `json`;
 * - `structured`: kept as text, for columns of type `jsonb`; also refused when Postgres would print its
 *   numbers many times longer than they were sent;
 * - `nested`: an envelope of its own, or a list of them, whichever comes.
 *
 * A name stands in one of them at most. Whether a member is allowed, due, or of the right type is not asked
 * here: a nested member that is neither object nor array is read as an ordinary value.
 */
export interface EnvelopeShape {
  readonly opaque?: ReadonlySet<string>;
  readonly structured?: ReadonlySet<string>;
  readonly nested?: ReadonlyMap<string, EnvelopeShape>;
}
