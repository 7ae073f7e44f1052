import { expect } from '@jest/globals';
import type { RunInShort } from './run-in-short.js';

const SEARCHED = {
  name: 'search',
  status: 'succeeded',
  arguments: { query: 'cheese' },
  result: expect.stringContaining('found cheese'),
  error: null,
};
const BROKE = {
  name: 'boom',
  status: 'failed',
  arguments: { query: 'glass' },
  error: expect.stringContaining('the tool broke'),
};

/** The two calls, and what of them a client tells in another way. */
export const searched = (more: object = {}): unknown => expect.objectContaining({ ...SEARCHED, ...more });
export const broke = (more: object = {}): unknown => expect.objectContaining({ ...BROKE, ...more });

/**
 * What the run of every agent in this suite has in common, whoever reports it: it is asked for cheese, calls `search`,
 * which finds some, and `boom`, which breaks, and answers. Its model says that it used 11 and 20 tokens in, 7 and 5 out.
 */
const CHEESE_RUN = {
  agent: 'searcher',
  status: 'succeeded',
  error: null,
  tokens: [31, 12],
  cost: '0',
  calls: [broke(), searched()],
};

/** Fails unless there is one run and all that is known of it is this. */
export function expectOneRun(runs: readonly RunInShort[], expected: object): void {
  expect(runs).toEqual([{ ...CHEESE_RUN, ...expected }]);
}
