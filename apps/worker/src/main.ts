import { runProcess } from '@agentflow/core';
import { work } from './work.js';

await runProcess(work);
