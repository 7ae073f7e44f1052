/** A notification of Postgres holds less than 8,000 bytes. */
const LONGEST_PIECE = 7_900;

/**
 * A text in pieces that notifications hold, each with its place, `1/3 …`: Postgres drops a notification that is the same as one
 * before in its transaction.
 */
export function piecesOf(text: string): string[] {
  const bytes = Buffer.from(text);
  const pieces: Buffer[] = [];
  for (let from = 0; from < bytes.length;) {
    let to = Math.min(from + LONGEST_PIECE, bytes.length);
    // A character of several bytes stays whole.
    while (to < bytes.length && ((bytes[to] as number) & 0xc0) === 0x80) to--;
    pieces.push(bytes.subarray(from, to));
    from = to;
  }
  return pieces.map((piece, i) => `${i + 1}/${pieces.length} ${piece.toString()}`);
}

/** Puts the pieces of one sender together, who sends one text after the other. */
export class Pieces {
  private pieces: string[] = [];

  /** The whole text when this was its last piece. One that began before anybody listened is left out. */
  add(piece: string): string | undefined {
    const [, place, count, text = ''] = /^(\d+)\/(\d+) (.*)$/s.exec(piece) ?? [];
    if (place === '1') this.pieces = [];
    if (Number(place) !== this.pieces.length + 1) return undefined;
    this.pieces.push(text);
    return place === count ? this.pieces.splice(0).join('') : undefined;
  }
}
