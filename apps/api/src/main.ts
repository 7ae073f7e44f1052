import { ConfigurationError, createLogger, readConfiguration } from '@agentflow/core';
import { serve } from './start/serve.js';

try {
  const configuration = readConfiguration(process.env);
  await serve(configuration, createLogger(configuration.logLevel));
} catch (error) {
  // What keeps the product from starting is for a person to read: a sentence, and a stack only for surprises.
  const isExplained = error instanceof ConfigurationError || (error as Error).name !== 'Error';
  process.stderr.write(`${isExplained ? (error as Error).message : (error as Error).stack}\n`);
  process.exitCode = 1;
}
