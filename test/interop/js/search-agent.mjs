import { Agent, OpenAIResponsesModel, Runner, Usage, tool } from '@openai/agents';
import OpenAI from 'openai';
import { z } from 'zod';

const parameters = z.object({ query: z.string() });
const search = tool({
  name: 'search',
  description: 'Searches.',
  parameters,
  execute: ({ query }) => `found ${query}`,
});
const boom = tool({
  name: 'boom',
  description: 'Breaks.',
  parameters,
  execute: () => Promise.reject(new Error('the tool broke')),
});

const call = (callId, name, query) => ({
  type: 'function_call',
  callId,
  name,
  status: 'completed',
  arguments: JSON.stringify({ query }),
});
const replies = [
  {
    usage: new Usage({ requests: 1, inputTokens: 11, outputTokens: 7, totalTokens: 18 }),
    output: [call('call_1', 'search', 'cheese'), call('call_2', 'boom', 'glass')],
  },
  {
    usage: new Usage({ requests: 1, inputTokens: 20, outputTokens: 5, totalTokens: 25 }),
    output: [
      {
        type: 'message',
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: 'There is cheese.' }],
      },
    ],
  },
];
const own = { getResponse: () => Promise.resolve(replies.shift()) };

const inResponses = ({ callId, ...item }) => ({ id: 'item_1', ...item, ...(callId && { call_id: callId }) });
const response = ({ usage, output }) => ({
  id: 'resp_1',
  object: 'response',
  model: 'gpt-4.1-mini',
  status: 'completed',
  output: output.map(inResponses),
  usage: {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    total_tokens: usage.totalTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens_details: { reasoning_tokens: 0 },
  },
});
const fetch = () => Promise.resolve(Response.json(response(replies.shift())));
const responses = new OpenAIResponsesModel(new OpenAI({ apiKey: 'none', fetch }), 'gpt-4.1-mini');

async function askOf(model) {
  const agent = new Agent({ name: 'searcher', instructions: 'Search.', model, tools: [search, boom] });
  const runner = new Runner({ workflowName: 'cheese', groupId: 'thread-1' });
  const { finalOutput } = await runner.run(agent, 'Is there cheese?');
  console.log(finalOutput);
}

/** An agent of the OpenAI Agents SDK, with a model of its own. */
export const askOwn = () => askOf(own);

/** The same with OpenAI's model, to which a function answers in place of OpenAI. */
export const askResponses = () => askOf(responses);
