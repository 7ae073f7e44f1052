import type { Configuration } from '@agentflow/core';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The answers to `/livez` and `/readyz`, for whoever watches the process, and to nothing else. */
export interface HealthDoor {
  readonly port: number;
  /** From now on this decides about `/readyz`, which says no until then. */
  readyWhen(isReady: () => Promise<boolean>): void;
  close(): Promise<void>;
}

export async function openHealthDoor({ port, host }: Configuration): Promise<HealthDoor> {
  let isReady = (): Promise<boolean> => Promise.resolve(false);
  const server = createServer((request, response) => {
    const answer = (status: number): void => void response.writeHead(status).end();
    if (request.url === '/livez') answer(200);
    else if (request.url === '/readyz') void isReady().then((ready) => answer(ready ? 200 : 503));
    else answer(404);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    readyWhen: (condition) => void (isReady = condition),
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
