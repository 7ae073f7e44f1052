import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { discardSocketDirectory, isTooLong, openSocketDirectory } from './socket-directory.js';

test('A socket path of 103 bytes fits, one of 104 does not, counted in bytes', () => {
  const directory = '/' + 'a'.repeat(103 - '/.s.PGSQL.5432'.length - 1);
  expect(isTooLong(directory, 5432)).toBe(false);
  expect(isTooLong(directory + 'a', 5432)).toBe(true);
  expect(isTooLong(directory.replace('a', 'ä'), 5432)).toBe(true);
});

test('A home whose path is short keeps its socket itself', () => {
  expect(openSocketDirectory('/data/postgres', 5432, undefined)).toBe('/data/postgres/run');
});

test('A home whose path is too long for a socket gets a private directory in /tmp', () => {
  const directory = openSocketDirectory(`/${'a'.repeat(120)}`, 5432, undefined);
  expect(directory).toMatch(/^\/tmp\/agentflow-\w{6}$/);
  expect(statSync(directory).mode & 0o777).toBe(0o700);
  discardSocketDirectory(directory);
  expect(existsSync(directory)).toBe(false);
});

test('No other directory is ever discarded', () => {
  const other = mkdtempSync(join(tmpdir(), 'other-'));
  for (const path of [other, `/tmp/agentflow-abcdef/../${other.slice(5)}`, '']) discardSocketDirectory(path);
  expect(existsSync(other)).toBe(true);
});
