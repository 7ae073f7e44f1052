import {
  BatchTraceProcessor,
  OpenAITracingExporter,
  getGlobalTraceProvider,
  setTraceProcessors,
} from '@openai/agents';
import { askOwn, askResponses } from './search-agent.mjs';

const exporter = new OpenAITracingExporter({
  endpoint: `${process.env.AGENTFLOW_URL}/openai/v1/traces/ingest`,
  apiKey: process.env.AGENTFLOW_KEY,
});
setTraceProcessors([new BatchTraceProcessor(exporter)]);

await (process.env.MODEL === 'responses' ? askResponses : askOwn)();
await getGlobalTraceProvider().shutdown();
