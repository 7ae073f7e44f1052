import { PROBLEMS } from '@agentflow/contracts';
import { notFound } from '@agentflow/domain';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule } from '@nestjs/swagger';
import type { FastifyInstance } from 'fastify';
import { readFileSync } from 'node:fs';
import { PROBLEM_PAGES } from '../http/problem.js';
import { productFile } from '../installation.js';
import { describeApi } from './openapi.js';

/**
 * Serves the API's description at `/openapi.json`, the same for readers at `/docs`, and a page for every problem
 * code where its `type` points. All of it is public: it tells what is in the published package.
 */
export function serveDocs(app: NestFastifyApplication): void {
  const document = describeApi(app);
  SwaggerModule.setup('docs', app, document, {
    jsonDocumentUrl: 'openapi.json',
    yamlDocumentUrl: 'openapi.yaml',
    customSiteTitle: 'AgentFlow API',
    swaggerOptions: { displayRequestDuration: true, persistAuthorization: false, tryItOutEnabled: true },
  });
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.get(`${PROBLEM_PAGES}:code`, (request, reply) => {
    const { code } = request.params as { code: string };
    if (!Object.hasOwn(PROBLEMS, code)) throw notFound();
    void reply
      .type('text/markdown; charset=utf-8')
      .serializer((page: string) => page)
      .send(readFileSync(productFile(`docs/problems/${code}.md`), 'utf8'));
  });
}
