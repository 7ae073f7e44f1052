import pg from 'pg';

/** Values from this size on are not copied. */
const LARGE = 8 * 1024;

/** What the driver is asked to bind. It maps a value to what travels: bytes, a text, or null. */
interface Binding {
  portal?: string;
  statement?: string;
  values?: readonly unknown[];
  binary?: boolean;
  valueMapper: (value: unknown) => Buffer | string | null;
}

interface Connection {
  bind(binding: Binding): void;
  _send(message: Buffer): void;
}

/**
 * The driver's client, which sends large binary values as they stand. By itself it puts each message together in a buffer
 * that grows by halves: a batch was copied three times, and what was left over of the buffers made for half of the
 * garbage collections.
 */
export class UnjoinedValuesClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super(config);
    const { connection } = this as unknown as { connection: Connection };
    const bindJoined = connection.bind.bind(connection);
    connection.bind = (binding) => {
      const { values = [] } = binding;
      if (!values.some(isLarge)) bindJoined(binding);
      else for (const piece of messageOf(binding, values)) connection._send(piece);
    };
  }
}

function isLarge(value: unknown): boolean {
  return value instanceof Uint8Array && value.length >= LARGE;
}

/**
 * The pieces of a [Bind message](https://www.postgresql.org/docs/current/protocol-message-formats.html#PROTOCOL-MESSAGE-FORMATS-BIND),
 * with large values by themselves.
 */
function messageOf(
  { portal = '', statement = '', binary = false, valueMapper }: Binding,
  values: readonly unknown[],
): Buffer[] {
  const parts: Buffer[] = [];
  const formats: number[] = [];
  for (const value of values) {
    const mapped = valueMapper(value);
    formats.push(Number(Buffer.isBuffer(mapped)));
    const bytes = typeof mapped === 'string' ? Buffer.from(mapped) : mapped;
    parts.push(int32(bytes?.length ?? -1), ...(bytes ? [bytes] : []));
  }
  const names = Buffer.from(`${portal}\0${statement}\0`);
  const body = [
    names,
    int16s(formats.length, ...formats, formats.length),
    ...parts,
    int16s(1, Number(binary)),
  ];
  const length = 4 + body.reduce((sum, part) => sum + part.length, 0);
  return withSmallJoined([Buffer.from('B'), int32(length), ...body]);
}

/** Neighbours that are small as one piece. */
function withSmallJoined(parts: readonly Buffer[]): Buffer[] {
  const pieces: Buffer[] = [];
  let small: Buffer[] = [];
  for (const part of parts) {
    if (!isLarge(part)) small.push(part);
    else {
      pieces.push(Buffer.concat(small), part);
      small = [];
    }
  }
  return [...pieces, Buffer.concat(small)];
}

function int32(value: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function int16s(...values: number[]): Buffer {
  const bytes = Buffer.allocUnsafe(2 * values.length);
  values.forEach((value, i) => bytes.writeInt16BE(value, 2 * i));
  return bytes;
}
