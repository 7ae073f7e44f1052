/** Behind every text: strings are shorter than 2^29 characters. A small integer, which keeps the loops fast. */
const NEVER = 0x3fffffff;

/** The next place of one character, remembered, so that looking for it again and again stays linear. */
export class Lookout {
  next = -1;

  constructor(
    private readonly text: string,
    private readonly character: string,
  ) {}

  /** Its first place at or after `offset`, or infinity. Offsets must not go back. */
  atOrAfter(offset: number): number {
    if (this.next < offset) {
      const found = this.text.indexOf(this.character, offset);
      this.next = found < 0 ? NEVER : found;
    }
    return this.next;
  }
}
