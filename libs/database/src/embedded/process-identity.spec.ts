import { commandLine, isAlive, ownIdentity, parseProcStat } from './process-identity.js';

const stat = (name: string) =>
  `4242 (${name}) S 1 4242 4242 0 -1 4194560 1 0 0 0 5 3 0 0 20 0 11 0 987654 1 2 3`;

test.each(['node', 'a b', 'odd) R 1 (name'])('The start of a process named %p is read', (name) => {
  expect(parseProcStat(stat(name))).toEqual({ state: 'S', startTicks: '987654' });
});

test.each(['', '4242', '4242 (node'])('A stat file that says %p says nothing', (text) => {
  expect(parseProcStat(text)).toBeNull();
});

test('A running process is alive', () => {
  expect(isAlive(ownIdentity())).toBe(true);
});

test('A pid that another process has got since is not alive', () => {
  expect(isAlive({ ...ownIdentity(), started: 'another boot/1' })).toBe(false);
});

test('A pid with an unknown start counts as alive while anything has it', () => {
  expect(isAlive({ pid: process.pid, started: null })).toBe(true);
});

test.each([0, -1, 1.5, Number.NaN])('The pid %p is nobody', (pid) => {
  expect(isAlive({ pid, started: null })).toBe(false);
});

test('The words that a process was started with can be read', () => {
  expect(commandLine(process.pid)).toContain('node');
});
