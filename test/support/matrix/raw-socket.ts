import { connect } from 'node:net';
import { once } from 'node:events';

/** What a server answers to bytes that no client library would send; empty when it only hangs up. */
export async function rawExchange(url: string, lines: readonly string[], body = ''): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined); // A server that refuses may reset what it has not read.
  await once(socket, 'connect');
  socket.write(Buffer.from(`${lines.join('\r\n')}\r\nConnection: close\r\n\r\n${body}`, 'latin1'));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString('latin1');
}

/** The status of a raw answer; 0 when there was none. */
export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}

/** The body of a raw answer that was not sent in chunks. */
export function bodyOf(answer: string): string {
  return answer.slice(answer.indexOf('\r\n\r\n') + 4);
}
