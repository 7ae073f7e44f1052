import { decodeUtf8 } from '@agentflow/domain';
import type { Unread } from '../reported-items.js';
import { readHead, type PartHead } from './part-headers.js';

/** One part of a multipart body; its content is a view of the body's bytes. */
export interface Part extends PartHead {
  content: Buffer;
}

export type MultipartReading = { ok: true; parts: Part[] } | Unread;

const LONGEST_BOUNDARY = 200;
const LONGEST_HEAD = 16 * 1024;
const MOST_PARTS = 100_000;

/** Thrown where the body is not what its boundary says, or has more parts than it may have. */
class Broken extends Error {
  constructor(
    message: string,
    readonly isTooLarge = false,
  ) {
    super(message);
  }
}

/**
 * Reads a multipart body ([RFC 2046](https://www.rfc-editor.org/rfc/rfc2046#section-5.1)) in one pass over its bytes. A
 * part that says its length is taken by it where a boundary follows, so that its content may look like one; else the next
 * boundary ends it. A body that ends before its last boundary was cut on the way, and nothing of it is taken; nor of one that
 * has more parts than it may have.
 */
export function readMultipart(bytes: Uint8Array, boundary: string, mostParts = MOST_PARTS): MultipartReading {
  if (boundary === '' || boundary.length > LONGEST_BOUNDARY)
    return { ok: false, detail: 'it has no usable boundary' };
  try {
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return { ok: true, parts: new MultipartReader(body, Buffer.from(`\r\n--${boundary}`)).read(mostParts) };
  } catch (error) {
    if (!(error instanceof Broken)) throw error;
    return { ok: false, detail: error.message, isTooLarge: error.isTooLarge };
  }
}

class MultipartReader {
  private at = 0;

  constructor(
    private readonly body: Buffer,
    private readonly delimiter: Buffer,
  ) {}

  read(mostParts: number): Part[] {
    const parts: Part[] = [];
    this.at = this.firstDelimiter();
    while (!this.isAtClose()) {
      if (parts.length === mostParts) throw new Broken(`it has more than ${mostParts} parts`, true);
      this.passLineEnd();
      const head = readHead(this.passHead());
      const start = this.at;
      const end = this.endOfContent(start, head.length);
      parts.push({ ...head, content: this.body.subarray(start, end) });
      this.at = end + this.delimiter.length;
    }
    return parts;
  }

  /** The offset behind the first boundary; what stands before it means nothing. */
  private firstDelimiter(): number {
    const opening = this.delimiter.subarray(2);
    if (this.body.subarray(0, opening.length).equals(opening)) return opening.length;
    return this.nextDelimiter(0) + this.delimiter.length;
  }

  private isAtClose(): boolean {
    return this.body[this.at] === DASH && this.body[this.at + 1] === DASH;
  }

  private passLineEnd(): void {
    while (isBlank(this.body[this.at])) this.at++;
    if (!this.isLineEnd(this.at)) throw new Broken('a boundary is not followed by a line end');
    this.at += 2;
  }

  /** The text of a head, which an empty line ends. */
  private passHead(): string {
    if (this.isLineEnd(this.at)) {
      this.at += 2;
      return '';
    }
    const within = this.body.subarray(this.at, this.at + LONGEST_HEAD);
    const length = within.indexOf('\r\n\r\n');
    if (length < 0) throw new Broken('the head of a part does not end');
    this.at += length + 4;
    return decodeUtf8(within.subarray(0, length)) ?? '';
  }

  private endOfContent(start: number, length: number | undefined): number {
    const said = start + (length ?? this.body.length);
    return this.isDelimiter(said) ? said : this.nextDelimiter(start);
  }

  private nextDelimiter(from: number): number {
    for (let found = from; ; found++) {
      found = this.body.indexOf(this.delimiter, found);
      if (found < 0) throw new Broken('it ends before its last boundary');
      if (this.isDelimiter(found)) return found;
    }
  }

  /** A boundary that goes on in other characters is content. */
  private isDelimiter(at: number): boolean {
    const end = at + this.delimiter.length;
    if (end + 2 > this.body.length || !this.body.subarray(at, end).equals(this.delimiter)) return false;
    const isClose = this.body[end] === DASH && this.body[end + 1] === DASH;
    return isClose || isBlank(this.body[end]) || this.isLineEnd(end);
  }

  private isLineEnd(at: number): boolean {
    return this.body[at] === CARRIAGE_RETURN && this.body[at + 1] === LINE_FEED;
  }
}

const DASH = 45;
const CARRIAGE_RETURN = 13;
const LINE_FEED = 10;

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9;
}
