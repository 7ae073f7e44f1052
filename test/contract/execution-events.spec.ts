import { EXECUTION_EVENT_TYPES, executionEventSchema } from '@agentflow/contracts';
import { describe, expect, it } from '@jest/globals';
import { codesIn, rowsIn, textOf } from '../support/markdown.js';

describe('the published form of execution events', () => {
  it('[V15] docs/execution-events.schema.json follows from the definition; `npm run openapi` writes it', () => {
    expect(JSON.parse(textOf('docs/execution-events.schema.json'))).toEqual(executionEventSchema());
  });

  it('[V15] the guide has each type once, with all its members', () => {
    const { oneOf } = executionEventSchema() as { oneOf: { title: string; required: string[] }[] };
    const rows = rowsIn(textOf('docs/guides/execution-events.md'), /^`[a-z_]+`$/);
    const common = ['type', 'run_id', 'seq', 'timestamp'];
    expect(rows.map(([type = '', , members = '']) => [codesIn(type)[0], codesIn(members)])).toEqual(
      oneOf.map(({ title, required }) => [title, required.filter((name) => !common.includes(name))]),
    );
    expect(rows.length).toBe(EXECUTION_EVENT_TYPES.length);
  });
});
