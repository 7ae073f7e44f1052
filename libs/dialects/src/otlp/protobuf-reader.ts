import { decodeUtf8 } from '@agentflow/domain';
import { Malformed, type Tally, UnusableSpan } from './decoding.js';

/** The wire types of protocol buffers. The two for groups are long gone, and refused. */
export const VARINT = 0;
export const FIXED64 = 1;
export const LENGTH = 2;
const FIXED32 = 5;

/**
 * Reads a protocol buffer's wire format, from
 * [its specification](https://protobuf.dev/programming-guides/encoding/). Nothing is copied: parts are views of the
 * given bytes. Throws `Malformed` where the bytes end too early or mean nothing.
 */
export class ProtobufReader {
  /** The number and the wire type of the field that `next` came to. */
  field = 0;
  wire = 0;

  constructor(
    private readonly buffer: Buffer,
    readonly tally: Tally,
    private at = 0,
    private readonly end = buffer.length,
  ) {}

  /** Goes to the next field; false at the end. */
  next(): boolean {
    if (this.at >= this.end) return false;
    const tag = this.smallVarint();
    this.field = tag >>> 3;
    this.wire = tag & 7;
    if (this.field === 0) throw new Malformed('a field has the number 0');
    return true;
  }

  /** Whether `next` came to this field in the form that it has to have; in another form it is an unknown one. */
  is(field: number, wire: number): boolean {
    return this.field === field && this.wire === wire;
  }

  /** A varint of at most 32 bits; what is larger is cut, as other readers do. */
  smallVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.byte();
      if (shift < 32) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new Malformed('a varint has more than ten bytes');
  }

  /** A varint as a signed number of 64 bits. */
  int64(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new Malformed('a varint has more than ten bytes');
  }

  fixed64(): bigint {
    return this.buffer.readBigUInt64LE(this.advance(8));
  }

  double(): number {
    return this.buffer.readDoubleLE(this.advance(8));
  }

  bytes(): Buffer {
    const from = this.part();
    return this.buffer.subarray(from, this.at);
  }

  /** Reads on in the same bytes: a view for each message took longer than what stands in it. */
  message(): ProtobufReader {
    const from = this.part();
    return new ProtobufReader(this.buffer, this.tally, from, this.at);
  }

  /** Bytes as hex, lower case. */
  hex(): string {
    const from = this.part();
    return this.buffer.toString('hex', from, this.at);
  }

  /** Throws `UnusableSpan` for what is no UTF-8: it could only be kept altered. */
  text(): string {
    const from = this.part();
    const text = this.buffer.toString('utf8', from, this.at);
    if (text.includes('\ufffd') && decodeUtf8(this.buffer.subarray(from, this.at)) === undefined) {
      throw new UnusableSpan('a text is not UTF-8');
    }
    return text;
  }

  skip(): void {
    if (this.wire === VARINT) this.smallVarint();
    else if (this.wire === FIXED64) this.advance(8);
    else if (this.wire === LENGTH) this.advance(this.smallVarint());
    else if (this.wire === FIXED32) this.advance(4);
    else throw new Malformed(`there is no wire type ${this.wire}`);
  }

  /** Passes what has a length, and answers where it began. */
  private part(): number {
    this.tally.addPart();
    return this.advance(this.smallVarint());
  }

  private byte(): number {
    return this.buffer[this.advance(1)] as number;
  }

  private advance(length: number): number {
    const from = this.at;
    if (length > this.end - from) throw new Malformed('it ends in the middle of a field');
    this.at = from + length;
    return from;
  }
}
