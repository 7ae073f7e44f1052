import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { broke, expectOneRun, searched } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { describeInPython, installPythonClients } from './installed.js';
import { otlpVariables } from './otlp-variables.js';
import { aReportingProject } from './reporting-project.js';
import type { RunInShort } from './run-in-short.js';

const QUESTION = ['user', 'Is there cheese?'];
const SEARCHED = ['tool', 'found cheese'];
const BROKE = ['tool', expect.stringContaining('the tool broke')];
const ANSWER = ['assistant', 'There is cheese.'];
const DIALOGUE = [QUESTION, ['assistant', null], SEARCHED, BROKE, ANSWER];

describeInPython(await installPythonClients(), 'OTLP from Python', (interpreter) => {
  let api: TestApi;
  beforeAll(async () => {
    api = await anApi();
  });
  afterAll(() => api.close());

  async function reported(program: string, more: Record<string, string> = {}): Promise<RunInShort[]> {
    const project = await aReportingProject(api);
    const variables = { ...otlpVariables(api.url, project.key), ...more };
    const ended = await runProgram(interpreter, `python/${program}.py`, variables);
    expect(ended).toEqual({ ...ANSWERED, stderr: '' });
    return project.runs();
  }

  const ofPydanticAi = {
    adapter: 'pydantic-ai',
    session: 'thread-1',
    steps: ['chat fake-small llm fake-small 11/7', 'chat fake-small llm fake-small 20/5'],
    messages: [['system', 'Search.'], ...DIALOGUE],
  };

  it('Pydantic AI reports its calls of models and tools, and the conversation', async () => {
    expectOneRun(await reported('pydantic_ai_agent'), ofPydanticAi);
  });

  it('[O5] An agent whose spans come one in a request is the same run as one whose spans come together', async () => {
    const alone = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' };
    expectOneRun(await reported('pydantic_ai_agent', alone), ofPydanticAi);
  });

  it('LangGraph reports its nodes with OpenInference, and what happens in them below', async () => {
    expectOneRun(await reported('openinference_langgraph'), {
      adapter: 'langgraph',
      session: 'thread-1',
      steps: [
        'agent agent',
        '  agent llm 11/7',
        '  agent chain',
        'tools chain',
        'agent agent',
        '  agent llm 20/5',
        '  agent chain',
      ],
      messages: DIALOGUE,
    });
  });

  it('OpenAI Agents reports with its instrumentation of OpenInference', async () => {
    expectOneRun(await reported('openinference_openai_agents'), {
      adapter: 'openai-agents',
      session: null,
      cost: '0.0000316',
      steps: [
        'cheese chain',
        '  searcher agent',
        '    turn chain',
        '      response llm gpt-4.1-mini 11/7',
        '    turn chain',
        '      response llm gpt-4.1-mini 20/5',
      ],
      calls: [broke({ error: expect.stringContaining('Error running tool (non-fatal)') }), searched()],
      messages: [
        QUESTION,
        ['assistant', null],
        SEARCHED,
        ['tool', 'An error occurred while running the tool. Please try again.'],
        ANSWER,
      ],
    });
  });
});
