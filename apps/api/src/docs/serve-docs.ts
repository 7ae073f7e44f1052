import { PROBLEMS } from '@agentflow/contracts';
import { notFound } from '@agentflow/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PROBLEM_PAGES } from '../http/problem.js';
import { productFile } from '../installation.js';
import { describeApi } from './openapi.js';

/** Swagger UI, from its own package; nothing is fetched from elsewhere. */
const ASSETS = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>AgentFlow API</title>
    <link rel="icon" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

const SCRIPT = `window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#page', deepLinking: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0,
});
`;

const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; object-src 'none'; base-uri 'none'; " +
  "frame-ancestors 'none'";

/**
 * Serves the API's description at `/openapi.json`, the same for readers at `/docs`, and a page for every problem
 * code where its `type` points. All of it is public: it tells what is in the published package.
 */
export function serveDocs(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const serve = (path: string, type: string, content: string | Buffer): void => {
    server.get(path, (_request, reply) => send(reply, type, content));
  };
  serve('/openapi.json', 'application/json; charset=utf-8', JSON.stringify(describeApi(app)));
  serve('/docs', 'text/html; charset=utf-8', PAGE);
  serve('/docs/page.js', 'text/javascript; charset=utf-8', SCRIPT);
  const { resolve } = createRequire(import.meta.url);
  for (const [name, type] of Object.entries(ASSETS)) {
    serve(`/docs/${name}`, type, readFileSync(resolve(`swagger-ui-dist/${name}`)));
  }
  server.get(`${PROBLEM_PAGES}:code`, (request, reply) => {
    const { code } = request.params as { code: string };
    if (!Object.hasOwn(PROBLEMS, code)) throw notFound();
    send(
      reply,
      'text/markdown; charset=utf-8',
      readFileSync(productFile(`docs/problems/${code}.md`), 'utf8'),
    );
  });
}

function send(reply: FastifyReply, type: string, content: string | Buffer): void {
  void reply
    .headers({ 'content-security-policy': POLICY, 'referrer-policy': 'no-referrer' })
    .type(type)
    .serializer((text: string) => text)
    .send(content);
}
