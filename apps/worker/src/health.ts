import type { Background, Configuration } from '@agentflow/core';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Answers `/livez` and `/readyz` for whoever watches the process, and nothing else; ends with what it returns. */
export async function answerHealthChecks(
  { port, host }: Configuration,
  background: Background,
): Promise<() => Promise<void>> {
  const server = createServer((request, response) => {
    const answer = (status: number): void => void response.writeHead(status).end();
    if (request.url === '/livez') answer(200);
    else if (request.url === '/readyz')
      void background.isHealthy().then((healthy) => answer(healthy ? 200 : 503));
    else answer(404);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
}
