import { runProcess } from '@agentflow/core';
import { serve } from './start/serve.js';

await runProcess(serve);
