import type { Logger } from 'pino';
import { readConfiguration, type Configuration } from '../configuration/configuration.js';
import { explainFailure } from './explain-failure.js';
import { createLogger } from './logger.js';
import { ProcessLife, endOnSignal, leave } from './process-life.js';

/** What a program does from here on: it opens things and tells `life` how to close them. */
export type Start = (configuration: Configuration, log: Logger, life: ProcessLife) => Promise<void>;

/**
 * Runs a program until it is told to end. What keeps it from starting is told on stderr; whatever it had opened by
 * then is closed, and the exit code is 1.
 */
export async function runProcess(start: Start): Promise<void> {
  let configuration: Configuration;
  try {
    configuration = readConfiguration(process.env);
  } catch (error) {
    process.stderr.write(`${explainFailure(error)}\n`);
    process.exitCode = 1;
    return;
  }
  const log = createLogger(configuration.logLevel);
  const life = new ProcessLife(log);
  const started = start(configuration, log, life);
  endOnSignal(log, life, started);
  try {
    await started;
  } catch (error) {
    if (life.ending.aborted) return; // It was told to end, and that is what came of it.
    process.stderr.write(`${explainFailure(error)}\n`);
    await life.end('SIGINT', started);
    leave(log, 1);
  }
}
