import { OpenTelemetry } from '@ai-sdk/otel';
import { generateText, registerTelemetry, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';
import { replies } from './ai-sdk-replies.mjs';
import { shutdown } from './telemetry.mjs';

registerTelemetry(new OpenTelemetry());

const inputSchema = z.object({ query: z.string() });

const { text } = await generateText({
  model: new MockLanguageModelV4({
    modelId: 'fake-small',
    doGenerate: () => Promise.resolve(replies.shift()),
  }),
  tools: {
    search: tool({ inputSchema, execute: ({ query }) => `found ${query}` }),
    boom: tool({ inputSchema, execute: () => Promise.reject(new Error('the tool broke')) }),
  },
  stopWhen: stepCountIs(3),
  prompt: 'Is there cheese?',
  telemetry: { functionId: 'searcher' },
});
console.log(text);
await shutdown();
