import { Agent, request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';

/** What goes over the wire: the path is sent exactly as it is given, where `fetch` would tidy it up first. */
export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly key?: string | undefined;
  readonly headers?: OutgoingHttpHeaders;
  /** Text goes as it is, anything else as JSON. */
  readonly body?: unknown;
}

/** What came back, with its headers as they were sent. */
export interface Reply {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** One request and its answer. */
export function exchange(url: string, { method, path, key, headers = {}, body }: Sent): Promise<Reply> {
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
  const { hostname, port } = new URL(url);
  const all = {
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path, headers: all }, (incoming) => {
      const chunks: Buffer[] = [];
      const answer = (): void => {
        const { statusCode = 0, rawHeaders } = incoming;
        resolve({ status: statusCode, headers: pairs(rawHeaders), text: Buffer.concat(chunks).toString() });
      };
      incoming.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        // A stream has no end: what comes with its first ids is the answer.
        if (!isStream(incoming) || !Buffer.concat(chunks).includes('\nid: ')) return;
        answer();
        incoming.destroy();
      });
      incoming.on('error', reject);
      incoming.on('end', answer);
    });
    sent.on('upgrade', ({ statusCode = 0, rawHeaders }, socket) => {
      socket.destroy();
      resolve({ status: statusCode, headers: pairs(rawHeaders), text: '' });
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

/** Sends a request and hangs up: by chance before it is read, while it is carried out, or as the answer comes. */
export function hangUp(url: string, { method, path, key, body }: Sent, chance: number): Promise<void> {
  const { hostname, port } = new URL(url);
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  return new Promise((resolve) => {
    const going = request({ hostname, port, method, path, headers, agent: false });
    going.on('error', () => undefined).on('close', resolve);
    going.on('response', () => going.destroy());
    going.end(body === undefined ? undefined : JSON.stringify(body), () => {
      if (chance < 0.4) going.destroy();
      else if (chance < 0.8) setImmediate(() => going.destroy());
    });
  });
}

function isStream({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name.toLowerCase(), raw[i + 1] as string]] : []));
}

/** What differs between two requests of one meaning; the connection is closed when the body came too late to be read. */
const INCIDENTAL = ['date', 'x-request-id', 'connection', 'keep-alive'];

/** The answer without what tells one request from another: two that mean the same are equal byte for byte. */
export function comparable({ status, headers, text }: Reply): string {
  const kept = headers.filter(([name]) => !INCIDENTAL.includes(name));
  const names = headers
    .map(([name]) => name)
    .filter((name) => name !== 'keep-alive')
    .sort();
  return JSON.stringify([status, names, kept.sort(), text.replace(INSTANCE, '"urn:uuid:"')]);
}

const INSTANCE = /"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"/;

/** Does something with every item, a few at a time, and answers in their order. */
export async function inParallel<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  width = 8,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let i = next++; i < items.length; i = next++) results[i] = await work(items[i] as T);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}
