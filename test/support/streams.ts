import type { TestApi } from './api.js';

/** An event as a browser would hand it out. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into events freely
}

/** A stream that is being read. */
export interface OpenStream {
  readonly status: number;
  readonly headers: Headers;
  /** All that was received, as text. */
  readonly text: string;
  /** What a client that comes again sends as `Last-Event-ID`: that of the last event that was taken, or where the stream begins. */
  readonly lastId: string | undefined;
  /** The next event; undefined when the stream has ended. */
  next(): Promise<StreamedEvent | undefined>;
  /** The next so many events, or as many as came until the end. */
  take(count: number): Promise<StreamedEvent[]>;
  /** Every event until the end. */
  rest(): Promise<StreamedEvent[]>;
  /** Waits until something was received that this finds. */
  until(found: (text: string) => boolean): Promise<void>;
  close(): void;
}

/** Opens a stream, and reads it by the rules of the HTML standard for what such streams may hold. */
export async function openStream(
  { url }: Pick<TestApi, 'url'>,
  path: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<OpenStream> {
  const leaving = new AbortController();
  const response = await fetch(url + path, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  let read = 0;
  let lastId: string | undefined;
  const more = async (): Promise<boolean> => {
    const { done, value } = (await reader?.read()) ?? { done: true };
    text += value ?? '';
    return done !== true;
  };
  const nextFrame = async (): Promise<string | undefined> => {
    const end = /\r\n\r\n|\n\n|\r\r/g;
    for (let from = read; ;) {
      end.lastIndex = from;
      if (end.test(text)) break;
      // The beginning of an end may be there already.
      from = Math.max(read, text.length - 3);
      if (!(await more())) return undefined;
    }
    const frame = text.slice(read, end.lastIndex);
    read = end.lastIndex;
    lastId = idIn(frame) ?? lastId;
    return frame;
  };
  const next = async (): Promise<StreamedEvent | undefined> => {
    for (;;) {
      const frame = await nextFrame();
      const event = frame === undefined ? undefined : eventIn(frame);
      if (event || frame === undefined) return event;
    }
  };
  const take = async (count: number): Promise<StreamedEvent[]> => {
    const events: StreamedEvent[] = [];
    while (events.length < count) {
      const event = await next();
      if (!event) break;
      events.push(event);
    }
    return events;
  };
  return {
    status: response.status,
    headers: response.headers,
    get text() {
      return text;
    },
    get lastId() {
      return lastId ?? idIn(text);
    },
    next,
    take,
    rest: () => take(Infinity),
    until: async (found) => {
      while (!found(text)) if (!(await more())) throw new Error(`the stream ended with ${text.slice(-200)}`);
    },
    close: () => leaving.abort(),
  };
}

const idIn = (text: string): string | undefined => /^id: (.*)\n/m.exec(text)?.[1];

function eventIn(frame: string): StreamedEvent | undefined {
  const members = new Map<string, string>();
  for (const line of frame.split(/\r\n|\n|\r/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (name !== '') members.set(name, members.has(name) ? `${members.get(name)}\n${value}` : value);
  }
  const data = members.get('data');
  if (data === undefined) return undefined;
  return { id: members.get('id') ?? '', type: members.get('event') ?? 'message', data: JSON.parse(data) };
}
