import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, parseClaim, wasAbandoned } from './directory-claim.js';
import { DataDirectoryInUse } from './errors.js';
import { ownIdentity } from './process-identity.js';

let directory: string;
beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'claim-'))));
afterEach(() => rmSync(directory, { recursive: true }));

const leave = (text: string) => writeFileSync(join(directory, 'owner-0123456789abcdef.json'), text);
const dead = JSON.stringify({ ...ownIdentity(), started: 'another boot/1', settled: true });

test('A directory has one owner at a time, and the refusal names it', async () => {
  const claim = await claimDirectory(directory);
  const refusal = claimDirectory(directory);
  await expect(refusal).rejects.toThrow(DataDirectoryInUse);
  await expect(refusal).rejects.toThrow(`in use by process ${process.pid}`);
  claim.release();
  (await claimDirectory(directory)).release();
  expect(readdirSync(directory)).toEqual([]);
});

test('Of many that claim at once exactly one gets the directory', async () => {
  const claims = await Promise.allSettled(Array.from({ length: 20 }, () => claimDirectory(directory)));
  expect(claims.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(directory)).toHaveLength(1);
});

test.each([
  ['whose pid another process has got', dead],
  ['cut short by a power cut', ''],
])('A claim %s is taken over, and removed when that is confirmed', async (_, text) => {
  leave(text);
  expect(wasAbandoned(directory)).toBe(true);
  const claim = await claimDirectory(directory);
  expect(wasAbandoned(directory)).toBe(false);
  expect(readdirSync(directory)).toHaveLength(2);
  claim.confirm();
  expect(readdirSync(directory)).toHaveLength(1);
});

test('A directory that nobody has claimed is not abandoned', () => {
  expect(wasAbandoned(directory)).toBe(false);
});

test.each(['', '{', '[]', 'null', '{"pid":"1","started":null}', '{"pid":1}'])(
  'The record %p names nobody',
  (text) => {
    expect(parseClaim(text)).toEqual({ pid: 0, started: null, settled: false });
  },
);
