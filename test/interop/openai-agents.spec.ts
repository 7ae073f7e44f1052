import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { CHEESE_RUN, expectOneRun } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { installJsClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();

/** The SDK hides from its reports why a tool failed. The run has the name of the workflow, which may have many agents. */
const IN_JAVASCRIPT = {
  adapter: 'openai-agents',
  agent: 'cheese',
  session: 'thread-1',
  calls: [
    expect.objectContaining({
      name: 'boom',
      status: 'failed',
      arguments: { query: 'glass' },
      error: 'Error running tool (non-fatal)',
    }),
    CHEESE_RUN.calls[1],
  ],
  messages: [],
};

describe('OpenAI Agents', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const report = async (model: 'own' | 'responses') => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/openai-agents.mjs', {
      AGENTFLOW_URL: api.url,
      AGENTFLOW_KEY: project.key,
      MODEL: model,
    });
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    return project.runs();
  };

  it('[O4] The JavaScript SDK reports with its own exporter, whatever the model', async () => {
    expectOneRun(await report('own'), {
      ...IN_JAVASCRIPT,
      steps: ['task chain', '  searcher agent', '    turn chain 11/7', '    turn chain 20/5'],
    });
  });

  it('[O4] Calls of the model of OpenAI stand below their turns, and tokens are counted once', async () => {
    expectOneRun(await report('responses'), {
      ...IN_JAVASCRIPT,
      steps: [
        'task chain',
        '  searcher agent',
        '    turn chain 11/7',
        '      response llm',
        '    turn chain 20/5',
        '      response llm',
      ],
    });
  });
});
