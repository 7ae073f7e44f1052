import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { randomUUID } from 'node:crypto';
import { RouteCatalogue } from '../../../apps/api/src/access/route-catalogue.js';
import { exchange, inParallel } from './exchange.js';
import { PUBLIC_ROUTES } from './public-routes.js';
import type { Samples } from './sample.js';

export interface RealRoute {
  readonly method: string;
  readonly path: string;
}

const LINE = /^(?<indent>[│ ]*)[├└]── (?<part>\S+)(?: \((?<methods>[A-Z, ]+)\))?/;

/** What the server itself would answer, whoever told it to: the table of its router, read from its drawing. */
export function realRoutes(app: NestFastifyApplication): RealRoute[] {
  const server = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  const parents: string[] = [];
  return server
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .filter((line) => line.trim() !== '')
    .flatMap((line) => {
      const { indent = '', part = '', methods = '' } = LINE.exec(line)?.groups ?? {};
      if (part === '') throw new Error(`not a line of a route table: ${line}`);
      const depth = indent.length / 4;
      parents.splice(depth, Infinity, part);
      const path = parents.join('');
      return methods
        .split(', ')
        .filter(Boolean)
        .map((method) => ({ method, path }));
    });
}

/** The permission table of the running api, as `METHOD /path`. */
export function tableOf(app: NestFastifyApplication): string[] {
  return app
    .get(RouteCatalogue)
    .routes.filter(({ access }) => access.kind === 'permission')
    .map(({ method, path }) => `${method} ${path}`);
}

/** Who answers for a real route: the permission table, the allow-list, or nobody. A HEAD is its GET. */
function answersFor(app: NestFastifyApplication, { method, path }: RealRoute): boolean {
  const name = `${method === 'HEAD' ? 'GET' : method} ${path}`;
  return Object.hasOwn(PUBLIC_ROUTES, name) || tableOf(app).includes(name);
}

/** Routes that neither table has and that do something all the same, where 405 would be right. */
export async function strayRoutes(app: NestFastifyApplication, url: string, key: string): Promise<string[]> {
  const unclaimed = realRoutes(app).filter((route) => !answersFor(app, route));
  const statuses = await inParallel(unclaimed, async ({ method, path }) => {
    const address = path.replaceAll(/:\w+/g, randomUUID());
    const { status } = await exchange(url, { method, path: address, key });
    return status === 405 ? [] : [`${method} ${path} answers ${status}`];
  });
  return statuses.flat();
}

/** Routes of the permission table that have no sample: nobody knows whether all keys were tried on them. */
export function routesWithoutSample(app: NestFastifyApplication, samples: Samples): string[] {
  return tableOf(app).filter((name) => !Object.hasOwn(samples, name));
}
