import { OpenAIAgentsInstrumentation } from '@arizeai/openinference-instrumentation-openai-agents';
import * as agents from '@openai/agents';
import { askResponses } from './search-agent.mjs';
import { shutdown } from './telemetry.mjs';

new OpenAIAgentsInstrumentation().manuallyInstrument(agents);

await askResponses();
await shutdown();
