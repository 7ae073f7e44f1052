import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { anApi, type TestApi } from '../support/api.js';
import { broke, expectOneRun, searched } from './cheese-run.js';
import { ANSWERED, runProgram } from './client-program.js';
import { installJsClients } from './installed.js';
import { otlpVariables } from './otlp-variables.js';
import { aReportingProject } from './reporting-project.js';
import type { RunInShort } from './run-in-short.js';

await installJsClients();

const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

const QUESTION = ['user', 'Is there cheese?'];
const SEARCHED = ['tool', 'found cheese'];
const BROKE = ['tool', expect.stringContaining('the tool broke')];
const ANSWER = ['assistant', 'There is cheese.'];
const DIALOGUE = [QUESTION, ['assistant', null], SEARCHED, BROKE, ANSWER];

const OF_AI_SDK_7 = {
  adapter: 'ai-sdk',
  session: null,
  steps: [
    'step 1 chain',
    '  chat fake-small llm fake-small 11/7',
    'step 2 chain',
    '  chat fake-small llm fake-small 20/5',
  ],
  messages: DIALOGUE,
};

let api: TestApi;
beforeAll(async () => {
  api = await anApi();
});
afterAll(() => api.close());

/** Lets an agent report as OpenTelemetry's own variables say, and answers what was reported. */
async function reported(
  program: string,
  protocol: (typeof PROTOCOLS)[number] = 'http/protobuf',
  more: Record<string, string> = {},
): Promise<RunInShort[]> {
  const project = await aReportingProject(api);
  const variables = { ...otlpVariables(api.url, project.key, protocol), ...more };
  const ended = await runProgram(process.execPath, `js/${program}.mjs`, variables);
  expect(ended).toEqual({ ...ANSWERED, stderr: '' });
  return project.runs();
}

describe.each(PROTOCOLS)('OTLP from JavaScript in %s', (protocol) => {
  it('[O2] An agent on version 6 of the AI SDK reports its calls of models and tools', async () => {
    expectOneRun(await reported('ai-sdk-6', protocol), {
      adapter: 'ai-sdk',
      session: 'thread-1',
      steps: [
        'ai.generateText.doGenerate llm fake-small 11/7',
        'ai.generateText.doGenerate llm fake-small 20/5',
      ],
      messages: DIALOGUE,
    });
  });

  it('[O2] An agent on version 7 of the AI SDK reports its steps, and each call of a model below one', async () => {
    expectOneRun(await reported('ai-sdk-7', protocol), OF_AI_SDK_7);
  });
});

describe('OTLP from JavaScript', () => {
  it('[O5] An agent whose spans come one in a request is the same run as one whose spans come together', async () => {
    const alone = { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '1' };
    expectOneRun(await reported('ai-sdk-7', 'http/protobuf', alone), OF_AI_SDK_7);
  });

  it('LangGraph reports its nodes with OpenInference, and what happens in them below', async () => {
    expectOneRun(await reported('openinference-langgraph'), {
      adapter: 'langgraph',
      session: 'thread-1',
      steps: [
        '__start__ chain',
        'agent chain',
        '  agent llm 11/7',
        'tools chain',
        'agent chain',
        '  agent llm 20/5',
      ],
      messages: DIALOGUE,
    });
  });

  it('OpenAI Agents reports with its bridge of OpenInference', async () => {
    expectOneRun(await reported('openinference-openai-agents'), {
      adapter: 'openai-agents',
      agent: 'cheese',
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

  it('Mastra reports with its own exporter, which posts logs unasked', async () => {
    const project = await aReportingProject(api);
    const ended = await runProgram(process.execPath, 'js/mastra.mjs', {
      AGENTFLOW_URL: api.url,
      AGENTFLOW_KEY: project.key,
      PROTOCOL: 'http/protobuf',
    });
    // Mastra writes its log to the same place.
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^There is cheese\.$/m) });
    expectOneRun(await project.runs(), {
      adapter: 'mastra',
      session: null,
      steps: [
        'model_generation fake-small chain',
        '  agent_step searcher chain',
        '    chat fake-small llm fake-small 11/7',
        '  agent_step searcher chain',
        '    chat fake-small llm fake-small 20/5',
      ],
      messages: [
        ['system', 'Search.'],
        QUESTION,
        ['assistant', '[tool: search][tool: boom]'],
        ['tool', '[tool-result: search][tool-result: boom]'],
        ANSWER,
      ],
    });
  });
});
