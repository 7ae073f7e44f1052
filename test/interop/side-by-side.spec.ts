import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { ANSWERED, runProgram } from './client-program.js';
import { installJsClients } from './installed.js';
import { otlpVariables } from './otlp-variables.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();

describe('Clients side by side', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  it('Processes that report into one project at the same time, in whatever dialect, are a run each', async () => {
    const { key, runs } = await aReportingProject(api);
    const otlp = otlpVariables(api.url, key);
    const ended = await Promise.all([
      runProgram(process.execPath, 'js/ai-sdk-6.mjs', otlp),
      runProgram(process.execPath, 'js/ai-sdk-6.mjs', otlp),
      runProgram(process.execPath, 'js/langsmith-langgraph.mjs', {
        LANGSMITH_TRACING: 'true',
        LANGSMITH_ENDPOINT: `${api.url}/langsmith`,
        LANGSMITH_API_KEY: key,
      }),
      runProgram(process.execPath, 'js/langfuse.mjs', {
        LANGFUSE_BASE_URL: `${api.url}/langfuse`,
        LANGFUSE_PUBLIC_KEY: 'agentflow',
        LANGFUSE_SECRET_KEY: key,
      }),
    ]);
    expect(ended).toEqual(ended.map(() => ({ ...ANSWERED, stderr: '' })));
    const known = (await runs()).map(({ agent, adapter, status, tokens, calls }) =>
      [agent, adapter, status, ...tokens, calls.length].join(' '),
    );
    expect(known.sort()).toEqual([
      'searcher ai-sdk succeeded 31 12 2',
      'searcher ai-sdk succeeded 31 12 2',
      'searcher langfuse succeeded 31 12 2',
      'searcher langgraph succeeded 31 12 2',
    ]);
  });
});
