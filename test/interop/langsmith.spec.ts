import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { expectOneRun } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { installJsClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();

describe('LangSmith', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[O4] A LangGraph agent in JavaScript reports with three variables and no line of code', async () => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/langsmith-langgraph.mjs', {
      LANGSMITH_TRACING: 'true',
      LANGSMITH_ENDPOINT: `${api.url}/langsmith`,
      LANGSMITH_API_KEY: project.key,
    });
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    expectOneRun(await project.runs(), {
      adapter: 'langgraph',
      session: 'thread-1',
      steps: [
        '__start__ chain',
        'agent chain',
        '  FakeBuiltModel llm fake-small 11/7',
        '  RunnableLambda chain',
        'tools chain',
        'agent chain',
        '  FakeBuiltModel llm fake-small 20/5',
        '  RunnableLambda chain',
      ],
      messages: [
        ['user', 'Is there cheese?'],
        ['assistant', ''],
        ['tool', 'found cheese'],
        ['tool', expect.stringContaining('the tool broke')],
        ['assistant', 'There is cheese.'],
      ],
    });
  });
});
