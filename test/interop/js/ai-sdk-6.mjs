import { generateText, stepCountIs, tool } from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { z } from 'zod';
import { shutdown } from './telemetry.mjs';

const used = (input, output) => ({
  inputTokens: { total: input, noCache: input, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: output, text: output, reasoning: undefined },
});
const call = (toolCallId, toolName, query) => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify({ query }),
});
const replies = [
  {
    content: [call('call_1', 'search', 'cheese'), call('call_2', 'boom', 'glass')],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage: used(11, 7),
    warnings: [],
  },
  {
    content: [{ type: 'text', text: 'There is cheese.' }],
    finishReason: { unified: 'stop', raw: undefined },
    usage: used(20, 5),
    warnings: [],
  },
];
const inputSchema = z.object({ query: z.string() });

const { text } = await generateText({
  model: new MockLanguageModelV3({
    modelId: 'fake-small',
    doGenerate: () => Promise.resolve(replies.shift()),
  }),
  tools: {
    search: tool({ inputSchema, execute: ({ query }) => `found ${query}` }),
    boom: tool({ inputSchema, execute: () => Promise.reject(new Error('the tool broke')) }),
  },
  stopWhen: stepCountIs(3),
  prompt: 'Is there cheese?',
  experimental_telemetry: {
    isEnabled: true,
    functionId: 'searcher',
    metadata: { sessionId: 'thread-1', userId: 'user-1' },
  },
});
console.log(text);
await shutdown();
