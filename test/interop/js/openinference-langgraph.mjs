import { LangChainInstrumentation } from '@arizeai/openinference-instrumentation-langchain';
import * as callbacks from '@langchain/core/callbacks/manager';
import { ask } from './search-graph.mjs';
import { shutdown } from './telemetry.mjs';

new LangChainInstrumentation().manuallyInstrument(callbacks);

await ask();
await shutdown();
