import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { aFailedStart, anApiProcess, type ApiProcess } from '../support/api-process.js';
import { aClient } from '../support/client.js';
import { aDatabase, connected } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { isServing, postmasterOf } from '../support/postmaster.js';

const KEY_SHOWN = /API key\s+(af_org_\w+)\s+\(/;

describe('the start', () => {
  const toUndo: (() => unknown)[] = [];
  afterEach(async () => {
    for (const undo of toUndo.splice(0).reverse()) await undo();
  });

  async function started(settings: Record<string, string>): Promise<ApiProcess> {
    const api = await anApiProcess(settings);
    toUndo.push(() => api.stop());
    return api;
  }

  /** A data directory below a folder that only its owner can enter, which under root Postgres' user is not. */
  function aDataDirectory(): string {
    const closed = aFolder({ mode: 0o700 });
    const path = join(closed.path, 'below', '.agentflow');
    mkdirSync(dirname(path), { mode: 0o700 });
    toUndo.push(() => {
      const record = join(path, 'cluster.json');
      const { home } = JSON.parse(readFileSync(record, 'utf8')) as { home: string };
      rmSync(resolve(path, home), { recursive: true, force: true });
      closed.remove();
    });
    return path;
  }

  /** The key that a process has shown, if it has: what is written arrives in pieces. */
  const keyShownBy = (api: ApiProcess): string | undefined => KEY_SHOWN.exec(api.output().stderr)?.[1];
  const statusWith = async (api: ApiProcess, key: string | undefined): Promise<number> =>
    (await aClient(api.url, key).get('/v1/me')).status;
  const kept = (dataDir: string) =>
    JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8')) as { url: string; key: string };

  it('A second start on a data directory in use is refused and disturbs nothing; after a kill the next start serves the same, also for root in a closed folder', async () => {
    const dataDir = aDataDirectory();
    const settings = { AGENTFLOW_DATA_DIR: dataDir };
    const first = await started(settings);
    const [, key] = await first.said(KEY_SHOWN);
    expect(await statusWith(first, key)).toBe(200);
    expect(kept(dataDir)).toEqual({ url: first.url, key });
    expect(statSync(join(dataDir, 'credentials.json')).mode & 0o777).toBe(0o600);

    const { code, text } = await aFailedStart({ ...settings, AGENTFLOW_API_PROCESSES: '2' });
    expect(code).toBe(1);
    expect(text).toContain(`${dataDir} is in use by process ${first.process.pid}`);
    expect(text).not.toContain('    at ');
    expect(await statusWith(first, key)).toBe(200);

    const orphan = postmasterOf(dataDir);
    first.process.kill('SIGKILL');
    await first.ended;
    const next = await started(settings);
    expect(isServing(orphan)).toBe(false);
    expect(keyShownBy(next)).toBeUndefined();
    expect(await statusWith(next, key)).toBe(200);
    expect(kept(dataDir)).toEqual({ url: next.url, key });
  }, 90_000);

  it('A port that is taken is told in one sentence, and nothing else', async () => {
    const database = await aDatabase();
    toUndo.push(() => database.drop());
    const folders = [aFolder(), aFolder()] as const;
    for (const folder of folders) toUndo.push(() => folder.remove());
    const settings = {
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_WORKER: 'off',
    };
    const first = await started({ ...settings, AGENTFLOW_DATA_DIR: folders[0].path });
    const { port } = new URL(first.url);
    const next = { ...settings, AGENTFLOW_DATA_DIR: folders[1].path, PORT: port };
    expect(await aFailedStart(next)).toEqual({
      code: 1,
      text: `Port ${port} of 127.0.0.1 is taken. Set PORT to another one.\n`,
    });
  }, 90_000);

  it('With DATABASE_URL no Postgres is started, and of several starts, two of them at once, one makes the first organization and shows its key', async () => {
    const database = await aDatabase();
    toUndo.push(() => database.drop());
    const folders = [aFolder(), aFolder()];
    for (const folder of folders) toUndo.push(() => folder.remove());
    const settings = (i: number) => ({
      DATABASE_URL: database.appUrl,
      AGENTFLOW_MIGRATION_URL: database.adminUrl,
      AGENTFLOW_WORKER: 'off',
      AGENTFLOW_DATA_DIR: folders[i]?.path ?? '',
    });
    const both = await Promise.all([started(settings(0)), started(settings(1))]);
    await Promise.race(both.map((api) => api.said(KEY_SHOWN)));
    const shown = both.map(keyShownBy).filter((key) => key !== undefined);
    expect(shown).toHaveLength(1);
    for (const api of both) expect(await statusWith(api, shown[0])).toBe(200);
    expect(await both[0].stop()).toBe(0);
    const again = await started(settings(0));
    expect(keyShownBy(again)).toBeUndefined();
    expect(await statusWith(again, shown[0])).toBe(200);

    const counts = `SELECT (SELECT count(*) FROM organizations)::integer AS organizations,
      (SELECT count(*) FROM projects)::integer AS projects, (SELECT count(*) FROM api_keys)::integer AS api_keys`;
    const { rows } = await connected(database.adminUrl, (admin) => admin.query(counts));
    expect(rows).toEqual([{ organizations: 1, projects: 1, api_keys: 1 }]);
    for (const { path } of folders) expect(readdirSync(path)).toEqual(['credentials.json']);
  }, 90_000);
});
