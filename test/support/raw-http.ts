import { createConnection, type Socket } from 'node:net';

/** One answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** What came of a connection. */
export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** The server closed the connection; otherwise it could have been used again. */
  readonly isClosed: boolean;
  /** A fault of the connection, such as `ECONNRESET`. */
  readonly error: string | undefined;
}

export interface RawOptions {
  /** How many answers to wait for before the connection is taken for reusable. */
  readonly answers?: number;
  /** Say that nothing more comes. */
  readonly isEnding?: boolean;
}

/**
 * Sends bytes as they are, where `fetch` would refuse or tidy them. Waits for the answers and then for a moment in
 * which the server may close the connection; parts are sent one after the other, as fast as the server takes them.
 */
export async function rawExchange(
  url: string,
  parts: Iterable<string | Buffer>,
  { answers: expected = 1, isEnding = false }: RawOptions = {},
): Promise<RawExchange> {
  const { hostname, port } = new URL(url);
  const socket = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
  let received = Buffer.alloc(0);
  let error: string | undefined;
  let isClosed = false;
  const done = new Promise<void>((resolve) => {
    socket.on('error', (fault: NodeJS.ErrnoException) => (error = fault.code));
    for (const event of ['end', 'close']) {
      socket.on(event, () => {
        isClosed = true;
        resolve();
      });
    }
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      // An answer that closes the connection is followed by its end; any other leaves it open.
      const complete = answersIn(received);
      if (complete.length >= expected && complete.at(-1)?.headers['connection'] !== 'close') resolve();
    });
  });
  const sent = send(socket, parts, isEnding);
  await Promise.race([done, sent.then(() => done)]);
  socket.destroy();
  return { answers: answersIn(received), isClosed, error };
}

async function send(socket: Socket, parts: Iterable<string | Buffer>, isEnding: boolean): Promise<void> {
  for (const part of parts) {
    if (!socket.writable) return;
    if (socket.write(part)) continue;
    await new Promise<void>((resolve) => {
      for (const event of ['drain', 'close', 'error']) socket.once(event, () => resolve());
    });
  }
  if (isEnding) socket.end();
}

/** The complete answers at the beginning of what was received. */
function answersIn(received: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let at = 0; ;) {
    const end = received.indexOf('\r\n\r\n', at);
    if (end < 0) return answers;
    const [first = '', ...lines] = received.subarray(at, end).toString('latin1').split('\r\n');
    const status = Number(first.split(' ')[1]);
    const headers = Object.fromEntries(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    );
    const bodyEnd = end + 4 + Number(headers['content-length'] ?? 0);
    if (received.length < bodyEnd) return answers;
    // What only says that the request may go on is no answer.
    if (status >= 200)
      answers.push({ status, headers, text: received.subarray(end + 4, bodyEnd).toString() });
    at = bodyEnd;
  }
}

/** A request's head, with a key and whatever headers there are besides. */
export function head(method: string, path: string, key: string | undefined, ...headers: string[]): string {
  const authorization = key === undefined ? [] : [`Authorization: Bearer ${key}`];
  return `${[`${method} ${path} HTTP/1.1`, 'Host: test', ...authorization, ...headers].join('\r\n')}\r\n\r\n`;
}
