import { get, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { v7 as newId } from 'uuid';
import { HttpClient } from './http-client.js';
import type { Server } from './server.js';

const RUN = {
  type: 'run.started',
  at: '2026-02-03T08:00:00.000000Z',
  agent: { name: 'bench', adapter: 'custom' },
};

export const jsonHeaders = ({ key }: Server): Record<string, string> => ({
  authorization: `Bearer ${key}`,
  'content-type': 'application/json',
});

/** Runs that have begun and go on. */
export async function openRuns(server: Server, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId());
  const client = await HttpClient.open(server.url, jsonHeaders(server));
  await client.post('/v1/ingest', JSON.stringify(ids.map((run_id) => ({ ...RUN, run_id }))));
  client.close();
  return ids;
}

/** Opens a stream and reads it for as long as it is open; hears the text of each event. */
export async function watch(
  server: Server,
  path: string,
  heard: (frame: string) => void,
): Promise<() => void> {
  const { stream, leave } = await open(server, path);
  stream.setEncoding('utf8');
  let rest = '';
  stream.on('data', (text: string) => {
    const frames = (rest + text).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) if (frame.includes(DATA)) heard(frame);
  });
  return leave;
}

/** Opens a stream and counts its events, but for those that come in two pieces: it shares the machine, and looks at nothing else. */
export async function watchAndCount(server: Server, path: string, count: () => void): Promise<() => void> {
  const { stream, leave } = await open(server, path);
  stream.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(DATA); at >= 0; at = bytes.indexOf(DATA, at + DATA.length)) count();
  });
  return leave;
}

const DATA = '\ndata: ';

async function open(server: Server, path: string): Promise<{ stream: IncomingMessage; leave: () => void }> {
  const request = get(server.url + path, { agent: false, headers: jsonHeaders(server) });
  const [stream] = (await once(request, 'response')) as [IncomingMessage];
  if (stream.statusCode !== 200) throw new Error(`${path} answered ${stream.statusCode}`);
  stream.on('error', () => undefined);
  return { stream, leave: () => void request.destroy() };
}
