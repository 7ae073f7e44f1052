import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { expectOneRun } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { installJsClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();

describe('Langfuse', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('[O4] Its SDK for JavaScript reports with three variables', async () => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/langfuse.mjs', {
      LANGFUSE_BASE_URL: `${api.url}/langfuse`,
      LANGFUSE_PUBLIC_KEY: 'agentflow',
      LANGFUSE_SECRET_KEY: project.key,
    });
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    expectOneRun(await project.runs(), {
      adapter: 'langfuse',
      session: 'thread-1',
      cost: '0.0025',
      steps: ['decide llm fake-small 11/7', 'answer llm fake-small 20/5'],
      messages: [
        ['user', 'Is there cheese?'],
        ['assistant', 'I shall search.'],
        ['assistant', 'There is cheese.'],
      ],
    });
  });
});
