import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { isAlive } from '../../libs/database/src/embedded/process-identity.js';
import { aFailedStart, anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aFolder, type Folder } from '../support/folder.js';
import { isServing, postmasterOf } from '../support/postmaster.js';
import { anAdminKey } from '../support/process-keys.js';
import { openStream } from '../support/streams.js';
import { aKey, aRunningRun } from '../support/things.js';

const PROCESSES = 2;
const SERVES = 'a process of the API serves';
const ENDED = 'a process of the API ended; starting another';

/** Each start takes a few seconds, and more on a busy machine. */
const PATIENCE_MS = 60_000;

describe('an api that is served by several processes', () => {
  const key = anAdminKey();
  let folder: Folder;
  let api: ApiProcess;
  beforeAll(async () => {
    folder = aFolder();
    await start();
  }, PATIENCE_MS);
  afterAll(async () => {
    api.process.kill('SIGKILL');
    await api.ended;
    folder.remove();
  });

  const settings = (): Record<string, string> => ({
    AGENTFLOW_DATA_DIR: folder.path,
    AGENTFLOW_BOOTSTRAP_KEY: key,
    AGENTFLOW_API_PROCESSES: String(PROCESSES),
  });

  async function start(): Promise<void> {
    api = await anApiProcess(settings(), { imports: ['./test/support/uncaught.mjs'] });
    await said(SERVES, PROCESSES);
  }

  /** How often something was said since the start. */
  const times = (what: string): number => api.output().stdout.split(what).length - 1;

  /** Waits until something was said so often since the start. */
  async function said(what: string, count: number): Promise<void> {
    while (times(what) < count) await once(api.process.stdout as NodeJS.ReadableStream, 'data');
  }

  async function figure(name: string): Promise<number> {
    const line = (await onItsOwn('/metrics')).text.split('\n').find((each) => each.startsWith(`${name} `));
    return Number(line?.slice(name.length + 1));
  }

  /** Each on a connection of its own, which goes to the next process. */
  async function onItsOwn(path: string, by?: string): Promise<{ status: number; text: string }> {
    const headers = by === undefined ? {} : { authorization: `Bearer ${by}` };
    const [answer] = (await once(get(`${api.url}${path}`, { agent: false, headers }), 'response')) as [
      IncomingMessage,
    ];
    let text = '';
    for await (const part of answer.setEncoding('utf8')) text += part as string;
    return { status: answer.statusCode as number, text };
  }

  const statuses = async (path: string, by?: string): Promise<number[]> => {
    const all = Array.from({ length: 2 * PROCESSES }, () => onItsOwn(path, by));
    return (await Promise.all(all)).map(({ status }) => status);
  };

  /** The processes below it that serve the doors. */
  function serving(): number[] {
    const { pid } = api.process;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children
      .map(Number)
      .filter((child) => readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('door-process'));
  }

  it('shares its port among them, and its figures are the sums over them', async () => {
    expect(serving()).toHaveLength(PROCESSES);
    const counted = 'agentflow_http_request_seconds_count{method="GET",route="/version",status="200"}';
    expect(await statuses('/version')).toEqual([200, 200, 200, 200]);
    while ((await figure(counted)) !== 4);
  });

  it('refuses a key in all of them that was revoked at one', async () => {
    const admin = aClient(api.url, key);
    const { id, key: revoked } = await aKey(admin, { scope: 'organization' });
    expect(await statuses('/v1/me', revoked)).toEqual([200, 200, 200, 200]);
    await admin.delete(`/v1/api-keys/${id}`);
    while (!(await statuses('/v1/me', revoked)).every((status) => status === 401));
  });

  it(
    'goes on with the others when one is killed, and starts another',
    async () => {
      const [first, second] = serving() as [number, number];
      process.kill(first, 'SIGKILL');
      await said(ENDED, 1);
      expect(await statuses('/v1/me', key)).toEqual([200, 200, 200, 200]);
      await said(SERVES, PROCESSES + 1);
      expect(serving()).toContain(second);
      expect(serving()).not.toContain(first);
    },
    PATIENCE_MS,
  );

  it(
    'starts another when one has met an error that nobody caught',
    async () => {
      const before = serving();
      process.kill(before[0] as number, 'SIGUSR2');
      await said(ENDED, 2);
      await said(SERVES, PROCESSES + 2);
      expect(serving()).not.toEqual(before);
      expect(await statuses('/v1/me', key)).toEqual([200, 200, 200, 200]);
    },
    PATIENCE_MS,
  );

  it(
    'starts all of them again when all are killed at once',
    async () => {
      const before = serving();
      for (const pid of before) process.kill(pid, 'SIGKILL');
      await said(SERVES, PROCESSES + 2 + PROCESSES);
      expect(serving().filter((pid) => before.includes(pid))).toEqual([]);
    },
    PATIENCE_MS,
  );

  it(
    'ends all of them with their streams when it is told to stop, and the database behind them',
    async () => {
      const run = await aRunningRun(aClient(api.url, key));
      const streams = await Promise.all(
        Array.from({ length: 2 * PROCESSES }, () => openStream(api, `/v1/runs/${run.id}/events`, key)),
      );
      for (const stream of streams) await stream.take(2);
      const before = serving();
      const postmaster = postmasterOf(folder.path);
      expect(await api.stop()).toBe(0);
      expect(before.filter(isThere)).toEqual([]);
      expect(isServing(postmaster)).toBe(false);
      for (const stream of streams) expect(await stream.rest()).toEqual([]);
      expect(api.output().stderr.match(/AgentFlow is running/g)).toHaveLength(1);
    },
    PATIENCE_MS,
  );

  it(
    'leaves none of them behind when it is killed itself, and can be started again',
    async () => {
      await start();
      const before = serving();
      expect(before).toHaveLength(PROCESSES);
      api.process.kill('SIGKILL');
      // They write to where it wrote, which is closed when all of them have ended.
      await api.ended;
      expect(before.filter(isThere)).toEqual([]);
      await start();
      expect(await statuses('/v1/me', key)).toEqual([200, 200, 200, 200]);
    },
    PATIENCE_MS,
  );

  it(
    'says once why it cannot open its doors, and ends',
    async () => {
      const { port } = new URL(api.url);
      const elsewhere = aFolder();
      const { code, text } = await aFailedStart({
        ...settings(),
        AGENTFLOW_DATA_DIR: elsewhere.path,
        PORT: port,
      });
      expect(code).toBe(1);
      expect(text.match(/Port \d+ of 127\.0\.0\.1 is taken\. Set PORT to another one\./g)).toHaveLength(1);
      elsewhere.remove();
    },
    PATIENCE_MS,
  );
});

const isThere = (pid: number): boolean => isAlive({ pid, started: null });
