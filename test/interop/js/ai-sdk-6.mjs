import { generateText, stepCountIs, tool } from 'ai6';
import { MockLanguageModelV3 } from 'ai6/test';
import { z } from 'zod';
import { replies } from './ai-sdk-replies.mjs';
import { shutdown } from './telemetry.mjs';

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
