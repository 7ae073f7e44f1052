/** The name as it is stored and compared, or what is wrong with it, as the end of a sentence about it. */
export type NormalizedName = { readonly name: string } | { readonly reason: string };

const LONGEST_NAME = 128;

/** NFC joins at most a handful of code points into one, so what is longer than this cannot come down to 128. */
const LONGEST_RAW = 4_096;

/**
 * Characters that make two names look alike or one name look like another: control characters and line
 * separators, bidirectional controls, and whatever is drawn as nothing (zero-width joiners, soft hyphens,
 * fillers, tags). Variation selectors are let through behind an emoji only. Halves of surrogate pairs too
 * are no characters.
 */
const HIDDEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?![\ufe0e\ufe0f])[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;

/**
 * Brings a name (of a project, an agent, a key) into its normal form: NFC, without white space around it, 1 to
 * 128 characters counted as code points. Two spellings of the same characters give one name; case and
 * look-alike letters are left alone. Emoji joined by U+200D are refused with the other invisible characters.
 */
export function normalizeName(raw: string): NormalizedName {
  const trimmed = raw.trim();
  if (trimmed.length > LONGEST_RAW) return tooLong;
  const name = trimmed.normalize('NFC');
  // `trim` takes U+FEFF for white space, but it is drawn as nothing.
  const isHidden = HIDDEN.test(name) || raw.includes('\ufeff');
  if (isHidden) return { reason: 'must not contain control, bidirectional or invisible characters' };
  if (name === '') return { reason: 'must not be empty' };
  return name.length > LONGEST_NAME && [...name].length > LONGEST_NAME ? tooLong : { name };
}

const tooLong: NormalizedName = { reason: `must have at most ${LONGEST_NAME} characters` };
