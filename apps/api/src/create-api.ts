import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { AccessGuard } from './access/access.guard.js';
import { guardBatchDoors } from './admission/batch-doors.js';
import { MemoryBudget } from './admission/memory-budget.js';
import { ApiModule, type Installation } from './api.module.js';
import { serveDocs } from './docs/serve-docs.js';
import { Readiness } from './health/readiness.js';
import { AnsweredRequests } from './http/answered-requests.js';
import { createFastifyAdapter } from './http/fastify-adapter.js';
import { NestLog } from './http/nest-log.js';
import { refuseOtherMethods } from './http/other-methods.js';
import { routeWebSockets } from './http/web-sockets.js';
import { Idempotency } from './idempotency/idempotency.js';
import { closeConnectionsInDrain } from './start/shutdown.js';

/** The api, ready to listen: every door checked, nothing open yet. */
export async function createApi(installation: Installation): Promise<NestFastifyApplication> {
  const { configuration, database, log } = installation;
  const app = await NestFactory.create<NestFastifyApplication>(
    ApiModule.of(installation),
    createFastifyAdapter(configuration),
    { bodyParser: false, abortOnError: false, logger: new NestLog(log) },
  );
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  server.decorate('idempotency', new Idempotency(database));
  const answered = app.get(AnsweredRequests);
  server.addHook('onResponse', (request, reply, done) => {
    answered.note(request, reply);
    done();
  });
  closeConnectionsInDrain(server, app.get(Readiness));
  guardBatchDoors(server, app.get(AccessGuard), app.get(MemoryBudget), configuration.limits.batchBytes);
  routeWebSockets(server);
  const refuse = refuseOtherMethods(server);
  await app.init();
  serveDocs(app);
  refuse();
  return app;
}
