import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { broke, expectOneRun, searched } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { describeInPython, installJsClients, installPythonClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();
const python = await installPythonClients();

/** The SDK hides from its reports why a tool failed. The run has the name of the workflow, which may have many agents. */
const REPORTED = {
  adapter: 'openai-agents',
  agent: 'cheese',
  session: 'thread-1',
  calls: [broke({ error: 'Error running tool (non-fatal)' }), searched()],
  messages: [],
};

describe('OpenAI Agents', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const report = async (command: string, program: string, model: 'own' | 'responses') => {
    const project = await aReportingProject(api);
    const ended = await runProgram(command, program, {
      AGENTFLOW_URL: api.url,
      AGENTFLOW_KEY: project.key,
      MODEL: model,
    });
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    return project.runs();
  };

  const inJavaScript = (model: 'own' | 'responses') =>
    report(process.execPath, 'js/openai-agents.mjs', model);

  it('The JavaScript SDK reports with its own exporter, whatever the model', async () => {
    expectOneRun(await inJavaScript('own'), {
      ...REPORTED,
      steps: ['task chain', '  searcher agent', '    turn chain 11/7', '    turn chain 20/5'],
    });
  });

  it('Calls of the model of OpenAI stand below their turns, and tokens are counted once', async () => {
    expectOneRun(await inJavaScript('responses'), {
      ...REPORTED,
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

  describeInPython(python, 'in Python', (interpreter) => {
    const inPython = (model: 'own' | 'responses') => report(interpreter, 'python/openai_agents.py', model);

    it('The SDK reports with its own exporter, whatever the model', async () => {
      expectOneRun(await inPython('own'), {
        ...REPORTED,
        steps: ['task chain', '  searcher agent', '    turn chain 11/7', '    turn chain 20/5'],
      });
    });

    it('Calls of the model of OpenAI say themselves what they used, and tokens are counted once', async () => {
      expectOneRun(await inPython('responses'), {
        ...REPORTED,
        steps: [
          'task chain',
          '  searcher agent',
          '    turn chain',
          '      response llm 11/7',
          '    turn chain',
          '      response llm 20/5',
        ],
      });
    });
  });
});
