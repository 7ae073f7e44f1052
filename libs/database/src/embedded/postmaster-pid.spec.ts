import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parsePostmasterPid, readPostmasterPid } from './postmaster-pid.js';

const file = '17\n/data/postgres/data\n1764436981\n5432\n/data/postgres/run\n\n  1234567 32\nready   \n';

test('A running server tells its pid, its socket directory and that it takes connections', () => {
  expect(parsePostmasterPid(file)).toEqual({
    pid: 17,
    socketDirectory: '/data/postgres/run',
    status: 'ready',
  });
});

test.each(['', '\n', 'garbage\n', '-17\n'])('The file %p names no process', (text) => {
  expect(parsePostmasterPid(text)).toEqual({ pid: 0, socketDirectory: '', status: '' });
});

test('A cluster without the file has no server', () => {
  const cluster = mkdtempSync(join(tmpdir(), 'cluster-'));
  expect(readPostmasterPid(cluster)).toBeNull();
  rmSync(cluster, { recursive: true });
});
