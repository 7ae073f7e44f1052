import { createLogger, readConfiguration } from '@agentflow/core';
import type { Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { ApiModule } from '../../../apps/api/src/api.module.js';
import { createFastifyAdapter } from '../../../apps/api/src/http/fastify-adapter.js';
import type { TestApi } from '../api.js';

class Altered {}

/** The api with further controllers or routes in it, as a change of tomorrow might bring them. */
export async function anAlteredApi(
  base: TestApi,
  controllers: Type[],
  alter: (server: FastifyInstance) => void = () => undefined,
): Promise<NestFastifyApplication> {
  const configuration = readConfiguration({ PORT: '0' });
  const log = createLogger('silent', { write: () => undefined });
  const installed = ApiModule.of({ configuration, ...base.connected, news: base.news, log });
  const app = await NestFactory.create<NestFastifyApplication>(
    { module: Altered, imports: [installed], controllers },
    createFastifyAdapter(configuration),
    { bodyParser: false, abortOnError: false, logger: false },
  );
  alter(app.getHttpAdapter().getInstance() as unknown as FastifyInstance);
  await app.init();
  return app;
}
