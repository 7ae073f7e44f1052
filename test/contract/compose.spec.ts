import { readConfiguration } from '@agentflow/core';
import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { environmentOf, lastOf, readDockerfile, type Stage } from '../support/dockerfile.js';

interface Service {
  image: string;
  build?: { context: string };
  command?: string[];
  environment: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  stop_grace_period: string;
  volumes?: string[];
}

interface Composition {
  services: Record<'api' | 'postgres' | 'worker', Service>;
  volumes: Record<string, unknown>;
}

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PASSWORD = 'chosen';

/** With the parser of the linter that checks the file's form; variables are filled in behind it, as Compose does. */
function readComposition(given: Record<string, string>): Composition {
  const { resolve } = createRequire(import.meta.url);
  const yaml = createRequire(resolve('dclint/package.json'))('yaml') as { parse(text: string): unknown };
  const filled = (text: string): string =>
    text.replaceAll(/\$\{(\w+):([-?])([^}]*)\}/g, (_whole, name: string, kind: string, otherwise: string) => {
      if (given[name] !== undefined) return given[name];
      if (kind === '-') return otherwise;
      throw new Error(`${name}: ${otherwise}`);
    });
  const written = yaml.parse(readFileSync(`${ROOT}docker-compose.yml`, 'utf8'));
  const each = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? filled(value) : value;
  return JSON.parse(JSON.stringify(written, each)) as Composition;
}

describe('the compose file', () => {
  const { services, volumes } = readComposition({ POSTGRES_PASSWORD: PASSWORD });
  const { api, postgres, worker } = services;
  const image = readDockerfile(`${ROOT}Dockerfile`).at(-1) as Stage;
  const inImage = environmentOf(image);

  it('It asks for the one thing that it cannot know', () => {
    expect(() => readComposition({})).toThrow('POSTGRES_PASSWORD: set POSTGRES_PASSWORD');
  });

  it('Every setting of api and worker, with those of the image, is one that the product knows and takes', () => {
    for (const { environment } of [api, worker]) {
      const configuration = readConfiguration({ ...inImage, ...environment });
      expect(configuration).toMatchObject({ host: '0.0.0.0', databaseUrl: environment['DATABASE_URL'] });
    }
    const { worker: inApi } = readConfiguration(api.environment);
    expect([inApi, readConfiguration({}).worker]).toEqual(['off', 'inline']);
  });

  it('They reach the Postgres that is started beside them, which is one that the product supports', () => {
    const { POSTGRES_USER: user, POSTGRES_DB: name } = postgres.environment;
    for (const { environment } of [api, worker]) {
      expect(environment['DATABASE_URL']).toBe(`postgres://${user}:${PASSWORD}@postgres:5432/${name}`);
    }
    const [, version = ''] = /^postgres:(\d+)$/.exec(postgres.image) ?? [];
    expect(Number(version)).toBeGreaterThanOrEqual(15);
    const test = ['CMD', 'pg_isready', '--username', user, '--dbname', name];
    expect(postgres.healthcheck?.test).toEqual(test);
  });

  it('Api and worker are the one image, each with a program that the sources have', () => {
    expect(api).toMatchObject({ build: { context: '.' }, image: worker.image });
    expect(worker.build).toBeUndefined();
    const command = JSON.parse(lastOf(image, 'CMD')) as string[];
    expect(api.command).toBeUndefined();
    expect(worker.command).toEqual(command.map((word) => word.replace('/api/', '/worker/')));
    for (const program of [command.at(-1), worker.command?.at(-1)] as string[]) {
      const source = program.replace('dist/', '').replace(/js$/, 'ts');
      expect([source, existsSync(ROOT + source)]).toEqual([source, true]);
    }
  });

  it('What one waits for is there and can be healthy, and gets the time that a drain may take', () => {
    const checked = new Set(['postgres', 'api', 'worker']); // Postgres by itself, the others by their image
    expect(lastOf(image, 'HEALTHCHECK')).toContain('/readyz');
    expect(postgres.healthcheck).toBeDefined();
    for (const { depends_on = {} } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        expect([name, checked.has(name), condition]).toEqual([name, true, 'service_healthy']);
      }
    }
    const { drainDelayMs, drainTimeoutMs } = readConfiguration({});
    for (const { stop_grace_period } of [api, worker]) {
      expect(Number.parseInt(stop_grace_period) * 1_000).toBeGreaterThan(drainDelayMs + drainTimeoutMs);
    }
  });

  it('What has to last lies on volumes, where the images keep it, and the api is reached from this machine only', () => {
    expect(Object.keys(volumes).sort()).toEqual(['data', 'postgres']);
    expect(api.volumes).toEqual([`data:${lastOf(image, 'VOLUME')}`]);
    expect(lastOf(image, 'VOLUME')).toBe(inImage['AGENTFLOW_DATA_DIR']);
    // Since version 18 the image of Postgres keeps its clusters one folder higher.
    expect(postgres.volumes).toEqual(['postgres:/var/lib/postgresql']);
    expect(api.ports).toEqual([`127.0.0.1:4400:${inImage['PORT']}`]);
    expect([postgres.ports, worker.ports]).toEqual([undefined, undefined]);
  });
});
