import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get } from '@nestjs/common';
import { Allow } from '../../apps/api/src/access/allow.decorator.js';
import { anApi, type TestApi } from '../support/api.js';
import { anAlteredApi } from '../support/matrix/altered-api.js';
import { exchange, inParallel } from '../support/matrix/exchange.js';
import { PUBLIC_ROUTES } from '../support/matrix/public-routes.js';
import { realRoutes, routesWithoutSample, strayRoutes, tableOf } from '../support/matrix/route-table.js';
import { SAMPLES } from '../support/matrix/samples.js';

@Controller('v1/forgotten')
class Forgotten {
  @Get()
  show(): object {
    return {};
  }
}

@Controller('v1/gadgets')
class Gadgets {
  @Get()
  @Allow('runs:read')
  list(): object {
    return {};
  }
}

@Controller('v1/gadgets')
class SingleGadget {
  @Get(':gadget_id')
  @Allow('runs:read')
  show(): object {
    return {};
  }
}

@Controller('v1/aliased')
class Aliased {
  @Get(['one', 'two'])
  @Allow('runs:read')
  show(): object {
    return {};
  }
}

describe('routes', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[K17] every route that the server has is in the permission table or in the allow-list of public ones', async () => {
    expect(await strayRoutes(api.app, api.url, api.adminKey)).toEqual([]);
  });

  it('[K17] without a key every route answers 401, but for the public ones and for methods that it does not know', async () => {
    const table = new Set(tableOf(api.app));
    const surprises = await inParallel(realRoutes(api.app), async ({ method, path }) => {
      const name = `${method === 'HEAD' ? 'GET' : method} ${path}`;
      const served = path.includes(':') ? 404 : 200;
      const expected = table.has(name) ? 401 : Object.hasOwn(PUBLIC_ROUTES, name) ? served : 405;
      const address = path.replaceAll(/:\w+/g, '0193aaaa-0000-7000-8000-000000000001');
      const { status } = await exchange(api.url, { method, path: address });
      return status === expected ? [] : [`${method} ${path}: ${expected} expected, got ${status}`];
    });
    expect(surprises.flat()).toEqual([]);
  });

  it('[K17] the allow-list and the samples name only routes that there are', () => {
    const real = realRoutes(api.app).map(({ method, path }) => `${method} ${path}`);
    expect(
      [...Object.keys(PUBLIC_ROUTES), ...Object.keys(SAMPLES)].filter((name) => !real.includes(name)),
    ).toEqual([]);
    expect(routesWithoutSample(api.app, SAMPLES)).toEqual([]);
  });

  it('[K17] a handler that does not say who may call it keeps the product from starting', async () => {
    await expect(anAlteredApi(api, [Forgotten])).rejects.toThrow(
      'Forgotten.show does not say who may call it',
    );
  });

  it('[K17] a path that names what no rule of sight covers keeps the product from starting', async () => {
    await expect(anAlteredApi(api, [SingleGadget])).rejects.toThrow(
      'SingleGadget.show names :gadget_id in its path',
    );
  });

  it('[K17] a new route is reported until all keys are tried on it', async () => {
    const app = await anAlteredApi(api, [Gadgets]);
    expect(routesWithoutSample(app, SAMPLES)).toEqual(['GET /v1/gadgets']);
    await app.close();
  });

  it('[K17] a route that by-passes the controllers, or has a second address, is reported', async () => {
    const app = await anAlteredApi(api, [Aliased], (server) => {
      server.get('/v1/backdoor', () => ({}));
    });
    await app.listen(0, '127.0.0.1');
    const stray = await strayRoutes(app, await app.getUrl(), api.adminKey);
    expect(stray).toEqual(
      expect.arrayContaining(['GET /v1/backdoor answers 200', 'GET /v1/aliased/one answers 200']),
    );
    await app.close();
  });
});
