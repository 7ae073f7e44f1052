import autocannon from 'autocannon';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ratioInTurns } from './figures.js';
import type { Server } from './server.js';

const ROUNDS = 9;
const SECONDS = 3;
const CLIENTS = 32;

/** An empty route of a bare Fastify server, in a process of its own as ours is. */
const BARE = `
  import { fastify } from 'fastify';
  const server = fastify();
  server.get('/', async () => ({}));
  console.log(await server.listen({ port: 0, host: '127.0.0.1' }));
`;

/** `GET /v1/me` with a key, in requests a second, against an empty route of a bare Fastify server. */
export async function httpOverhead({ url, key }: Server): Promise<number> {
  const bare = spawn(process.execPath, ['--input-type=module', '--eval', BARE], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [address] = (await once(bare.stdout, 'data')) as [Buffer];
    const load =
      (target: string, headers: Record<string, string> = {}) =>
      async (): Promise<number> =>
        (await autocannon({ url: target, headers, connections: CLIENTS, duration: SECONDS })).requests
          .average;
    const ours = load(`${url}/v1/me`, { authorization: `Bearer ${key}` });
    const limit = load(address.toString().trim());
    await ours(); // Both are warm before anything counts.
    await limit();
    return await ratioInTurns(ROUNDS, ours, limit, 'requests/s');
  } finally {
    bare.kill();
  }
}
