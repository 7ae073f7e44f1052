import { expect, it } from '@jest/globals';
import { SchemaThread } from './schema-thread.js';

it('A question that takes more memory than there is has its answer, and so have those behind it', async () => {
  const thread = new SchemaThread(24);
  const huge = `[${'{},'.repeat(3_000_000)}0]`;
  const answers = [
    thread.ask({ schema: '{"minimum":10}', answer: '1' }),
    thread.ask({ schema: '{"maxItems":1}', answer: huge }),
    thread.ask({ schema: '{"minimum":10}', answer: '2' }),
    thread.ask({ schema: '{"minimum":10}', answer: '11' }),
  ];
  const mistakes = [{ instancePath: '', message: 'must be >= 10' }];
  expect(await Promise.all(answers)).toEqual([mistakes, undefined, mistakes, []]);
});
