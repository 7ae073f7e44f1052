import { Agent } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { createTool } from '@mastra/core/tools';
import { Observability } from '@mastra/observability';
import { OtelExporter } from '@mastra/otel-exporter';
import { MockLanguageModelV3 } from 'ai6/test';
import { z } from 'zod';
import { replies } from './ai-sdk-replies.mjs';

const inputSchema = z.object({ query: z.string() });
const search = createTool({
  id: 'search',
  description: 'Searches.',
  inputSchema,
  execute: ({ query }) => Promise.resolve(`found ${query}`),
});
const boom = createTool({
  id: 'boom',
  description: 'Breaks.',
  inputSchema,
  execute: () => Promise.reject(new Error('the tool broke')),
});

const exporter = new OtelExporter({
  provider: {
    custom: {
      endpoint: `${process.env.AGENTFLOW_URL}/otel`,
      headers: { authorization: `Bearer ${process.env.AGENTFLOW_KEY}` },
      protocol: process.env.PROTOCOL,
    },
  },
});
const model = new MockLanguageModelV3({
  modelId: 'fake-small',
  doGenerate: () => Promise.resolve(replies.shift()),
});
const mastra = new Mastra({
  agents: {
    searcher: new Agent({
      id: 'searcher',
      name: 'searcher',
      instructions: 'Search.',
      model,
      tools: { search, boom },
    }),
  },
  observability: new Observability({
    configs: { otel: { serviceName: 'cheese-shop', exporters: [exporter] } },
  }),
});

const { text } = await mastra.getAgent('searcher').generate('Is there cheese?');
console.log(text);
await mastra.shutdown();
