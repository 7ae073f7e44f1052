import { describe, expect, it } from '@jest/globals';
import { composeKey } from '@agentflow/domain';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ConfigurationError, readConfiguration } from './configuration.js';

const KEY = composeKey('organization', 'a'.repeat(12), 'b'.repeat(43));
const ROOT = 'root_0123456789abcdefghij';

function faultsOf(env: Record<string, string>): string[] {
  try {
    readConfiguration(env);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.faults;
    throw error;
  }
}

function aFile(content: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'configuration-')), 'secret');
  writeFileSync(path, content);
  return path;
}

describe('readConfiguration', () => {
  it('needs nothing: an empty environment gives the documented defaults', () => {
    expect(readConfiguration({})).toMatchObject({
      port: 4400,
      host: '127.0.0.1',
      databaseUrl: undefined,
      rootKey: undefined,
      bootstrapKey: undefined,
      dataDir: resolve('.agentflow'),
      worker: 'inline',
      logLevel: 'info',
      limits: {
        requestBytes: 1_048_576,
        batchBytes: 20_971_520,
        batchItems: 5_000,
        payloadBytes: 4_194_304,
        payloadDepth: 64,
      },
    });
  });

  it('takes a variable that is empty for one that is absent', () => {
    expect(readConfiguration({ PORT: '', DATABASE_URL: '', AGENTFLOW_ROOT_KEY: '' })).toMatchObject({
      port: 4400,
      databaseUrl: undefined,
      rootKey: undefined,
    });
  });

  it('[K16] lists all that is wrong at once, by name and without a value', () => {
    const env = {
      PORT: '65536',
      DATABASE_URL: 'mysql://user:secret@host/db',
      AGENTFLOW_ROOT_KEY: 'short-secret',
      AGENTFLOW_BOOTSTRAP_KEY: `${KEY.slice(0, -1)}!`,
      AGENTFLOW_WORKER: 'sometimes-secret',
      AGENTFLOW_LOG_LEVEL: 'loud-secret',
      AGENTFLOW_POOL_SIZE: '-1',
      AGENTFLOW_SECRET_SETTING: 'secret',
    };
    const faults = faultsOf(env);
    expect(faults).toHaveLength(Object.keys(env).length);
    for (const name of Object.keys(env))
      expect(faults.filter((fault) => fault.startsWith(`${name} `))).toHaveLength(1);
    expect(() => readConfiguration(env)).toThrow(/8 fault\(s\)/);
    const said = faults.join('\n').replaceAll('AGENTFLOW_SECRET_SETTING', '');
    expect(said).not.toMatch(/secret/);
    expect(said).not.toContain(KEY.slice(10, -1));
  });

  it('refuses a setting of ours that it does not know, and leaves all others alone', () => {
    expect(faultsOf({ AGENTFLOW_PROT: '1' })).toEqual(['AGENTFLOW_PROT is not a setting']);
    expect(
      faultsOf({ agentflow_x: '1', HOME: '/', PATH: '/bin', PGPASSWORD: 'x', NODE_ENV: 'production' }),
    ).toEqual([]);
    expect(
      faultsOf({ AGENTFLOW_API_KEY: KEY, AGENTFLOW_BASE_URL: 'http://x', AGENTFLOW_TEST_EFFORT: '2' }),
    ).toEqual([]);
  });

  it('reads secrets from files as well, without the line break at their end', () => {
    const url = 'postgres://user:p%40ss@host:5433/db';
    expect(
      readConfiguration({
        DATABASE_URL_FILE: aFile(`${url}\n`),
        AGENTFLOW_MIGRATION_URL_FILE: aFile(url),
        AGENTFLOW_ROOT_KEY_FILE: aFile(`${ROOT}\r\n`),
        AGENTFLOW_BOOTSTRAP_KEY_FILE: aFile(`${KEY}\n`),
      }),
    ).toMatchObject({ databaseUrl: url, migrationUrl: url, rootKey: ROOT, bootstrapKey: KEY });
  });

  it('refuses a secret that is given twice, and a file that cannot be read', () => {
    expect(faultsOf({ AGENTFLOW_ROOT_KEY: ROOT, AGENTFLOW_ROOT_KEY_FILE: aFile(ROOT) })).toEqual([
      'AGENTFLOW_ROOT_KEY and AGENTFLOW_ROOT_KEY_FILE are both set; set one of them',
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: '/nowhere/at/all' })).toEqual([
      expect.stringMatching(/^DATABASE_URL_FILE cannot be read: ENOENT/),
    ]);
  });

  it('judges what comes from a file as what comes from the environment', () => {
    expect(faultsOf({ AGENTFLOW_ROOT_KEY_FILE: aFile('short') })).toEqual([
      expect.stringMatching(/^AGENTFLOW_ROOT_KEY /),
    ]);
    expect(faultsOf({ DATABASE_URL_FILE: aFile('x') })).toEqual([expect.stringMatching(/^DATABASE_URL /)]);
  });

  it.each([
    'postgres://host/db',
    'postgresql://user:p%40ss@[::1]:5432/db?sslmode=require',
    'postgres://user:pass@/db?host=/run/postgresql',
    'postgres://user@%2Frun%2Fpostgresql/db',
  ])('takes %s for a URL of Postgres', (url) => {
    expect(readConfiguration({ DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it.each(['host/db', 'http://host/db', 'postgres://[::bad/db'])('takes %s for none', (url) =>
    expect(faultsOf({ DATABASE_URL: url })).toHaveLength(1),
  );

  it.each(['5.0', '1e3', '0x10', ' 5', '-5', '1'.repeat(20), 'NaN'])('takes %s for no number', (text) => {
    for (const name of [
      'PORT',
      'AGENTFLOW_POOL_SIZE',
      'AGENTFLOW_MAX_REQUEST_BYTES',
      'AGENTFLOW_MAX_PAYLOAD_DEPTH',
    ]) {
      expect(faultsOf({ [name]: text })).toEqual([
        expect.stringMatching(`^${name} has to be a whole number`),
      ]);
    }
  });

  it('takes an organization key only for the first key', () => {
    expect(readConfiguration({ AGENTFLOW_BOOTSTRAP_KEY: KEY }).bootstrapKey).toBe(KEY);
    for (const kind of ['project', 'agent'] as const) {
      const key = composeKey(kind, 'a'.repeat(12), 'b'.repeat(43));
      expect(faultsOf({ AGENTFLOW_BOOTSTRAP_KEY: key })).toHaveLength(1);
    }
  });
});
