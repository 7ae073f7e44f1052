import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { broke, expectOneRun, searched } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { describeInPython, installJsClients, installPythonClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();
const python = await installPythonClients();

const DIALOGUE = [
  ['user', 'Is there cheese?'],
  ['assistant', 'I shall search.'],
  ['assistant', 'There is cheese.'],
];

describe('Langfuse', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const variables = (key: string): Record<string, string> => ({
    LANGFUSE_BASE_URL: `${api.url}/langfuse`,
    LANGFUSE_PUBLIC_KEY: 'agentflow',
    LANGFUSE_SECRET_KEY: key,
  });

  it('Its SDK for JavaScript reports with three variables', async () => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/langfuse.mjs', variables(project.key));
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    expectOneRun(await project.runs(), {
      adapter: 'langfuse',
      session: 'thread-1',
      cost: '0.0025',
      steps: ['decide llm fake-small 11/7', 'answer llm fake-small 20/5'],
      messages: DIALOGUE,
    });
  });

  describeInPython(python, 'in Python', (interpreter) => {
    it('Its SDK knows its key for good, reports with the same three variables, and tells arguments as Python has them', async () => {
      const project = await aReportingProject(api);
      const ended = await runProgram(interpreter, 'python/langfuse_observations.py', variables(project.key));
      expect(ended).toEqual({ ...ANSWERED, stderr: '' });
      const by = (query: string): object => ({ arguments: { args: [], kwargs: { query } } });
      expectOneRun(await project.runs(), {
        adapter: 'langfuse',
        session: null,
        steps: ['decide llm fake-small 11/7', 'answer llm fake-small 20/5'],
        calls: [broke(by('glass')), searched(by('cheese'))],
        messages: DIALOGUE,
      });
    });
  });
});
