import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { expectOneRun } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { describeInPython, installJsClients, installPythonClients } from './installed.js';
import { aReportingProject } from './reporting-project.js';

await installJsClients();
const python = await installPythonClients();

const DIALOGUE = [
  ['user', 'Is there cheese?'],
  ['assistant', ''],
  ['tool', 'found cheese'],
  ['tool', expect.stringContaining('the tool broke')],
  ['assistant', 'There is cheese.'],
];

/** The client says this on every start to a server that does not read zstd, which Node 20 does not. */
const UNCOMPRESSED = /^Run compression is not enabled\..*\n$/;

describe('LangSmith', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  const variables = (key: string): Record<string, string> => ({
    LANGSMITH_TRACING: 'true',
    LANGSMITH_ENDPOINT: `${api.url}/langsmith`,
    LANGSMITH_API_KEY: key,
  });

  it('A LangGraph agent in JavaScript reports with three variables and no line of code', async () => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/langsmith-langgraph.mjs', variables(project.key));
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
      messages: DIALOGUE,
    });
  });

  describeInPython(python, 'in Python', (interpreter) => {
    const report = async (more: Record<string, string>) => {
      const project = await aReportingProject(api);
      const given = { ...variables(project.key), ...more };
      return { project, ended: await runProgram(interpreter, 'python/langsmith_langgraph.py', given) };
    };

    it('A LangGraph agent reports with the same three variables', async () => {
      const { project, ended } = await report({});
      expect(ended).toEqual({ ...ANSWERED, stderr: expect.stringMatching(UNCOMPRESSED) });
      expectOneRun(await project.runs(), {
        adapter: 'langgraph',
        session: 'thread-1',
        steps: [
          'agent chain',
          '  GenericFakeChatModel llm fake-small 11/7',
          '  tools_condition chain',
          'tools chain',
          'agent chain',
          '  GenericFakeChatModel llm fake-small 20/5',
          '  tools_condition chain',
        ],
        messages: DIALOGUE,
      });
    });

    it('With a fourth variable it does not ask for compression that is not there', async () => {
      const { project, ended } = await report({ LANGSMITH_DISABLE_RUN_COMPRESSION: 'true' });
      expect(ended).toEqual({ ...ANSWERED, stderr: '' });
      expect(await project.runs()).toHaveLength(1);
    });
  });
});
