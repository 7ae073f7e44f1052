import { ConfigurationError, readConfiguration } from '@agentflow/core';
import { work } from './work.js';

try {
  await work(readConfiguration(process.env));
} catch (error) {
  const isExplained = error instanceof ConfigurationError || (error as Error).name !== 'Error';
  process.stderr.write(`${isExplained ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
