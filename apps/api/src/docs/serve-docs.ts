import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { NAVIGATION } from './frame.js';
import { describeApi } from './openapi.js';
import { servePages } from './pages.js';
import { sendPage } from './send-page.js';
import { API_STYLE, PAGE_STYLE } from './styles.js';

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
    <link rel="stylesheet" href="/docs/api.css" />
  </head>
  <body>
    ${NAVIGATION}
    <div id="page"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/page.js"></script>
  </body>
</html>
`;

const SCRIPT = `const isDark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', isDark.matches);
follow();
isDark.addEventListener('change', follow);
window.ui = SwaggerUIBundle({
  url: '/openapi.json', dom_id: '#page', deepLinking: true, tryItOutEnabled: true, defaultModelsExpandDepth: 0,
});
`;

/**
 * Serves the API's description at `/openapi.json`, the same for readers at `/docs`, and the product's pages, among them
 * one for every problem code, where its `type` points. All of it is public: it tells what is in the published package.
 */
export function serveDocs(app: NestFastifyApplication): void {
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const serve = (path: string, type: string, content: string | Buffer): void => {
    server.get(path, (_request, reply) => sendPage(reply, type, content));
  };
  serve('/openapi.json', 'application/json; charset=utf-8', JSON.stringify(describeApi(app)));
  // Whoever opens the address that the start prints, or adds a slash, means the page.
  for (const path of ['/', '/docs', '/docs/']) serve(path, 'text/html; charset=utf-8', PAGE);
  serve('/docs/pages.css', 'text/css; charset=utf-8', PAGE_STYLE);
  serve('/docs/api.css', 'text/css; charset=utf-8', API_STYLE);
  serve('/docs/page.js', 'text/javascript; charset=utf-8', SCRIPT);
  const { resolve } = createRequire(import.meta.url);
  for (const [name, type] of Object.entries(ASSETS)) {
    serve(`/docs/${name}`, type, readFileSync(resolve(`swagger-ui-dist/${name}`)));
  }
  servePages(server);
}
