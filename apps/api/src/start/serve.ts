import {
  BACKGROUND_ENDS_WITHIN_MS,
  startBackground,
  type Configuration,
  type ProcessLife,
  type StopSignal,
} from '@agentflow/core';
import { UnsafeRole } from '@agentflow/database';
import type { Logger } from 'pino';
import { keepCredentials } from './credentials.js';
import { DoorProcesses } from './door-processes.js';
import { openDoors } from './open-doors.js';
import { prepareDatabase } from './prepare-database.js';

/** What a process of the doors has to close behind them takes no longer than this. */
const CLOSES_WITHIN_MS = 5_000;

/** Runs the api: database first, then the doors, in this process or in several that it starts. */
export async function serve(configuration: Configuration, log: Logger, life: ProcessLife): Promise<void> {
  const { apiProcesses, drainDelayMs, drainTimeoutMs } = configuration;
  const processes = apiProcesses > 1 ? new DoorProcesses(log) : undefined;
  const endProcesses = (signal: StopSignal): Promise<void> | undefined => processes?.end(signal);
  const endWithinMs = drainDelayMs + drainTimeoutMs + CLOSES_WITHIN_MS;
  // The first loads already, also where no database comes of it; all of them end before what they use.
  life.onEnd('the first process of the doors', endProcesses, endWithinMs);
  const { appUrl, workerUrl } = await prepareDatabase(configuration, log, life, say);
  life.ending.throwIfAborted();
  if (configuration.worker === 'inline') await workInline(workerUrl, configuration, log, life);
  life.onEnd('the processes of the doors', endProcesses, endWithinMs);
  const { url, key } = await (processes?.open(configuration, appUrl) ??
    openDoors(configuration, appUrl, log, life));
  keepCredentials(configuration, log, { url });
  announce(url, configuration.bootstrapKey === undefined ? key : undefined);
}

async function workInline(
  url: string,
  configuration: Configuration,
  log: Logger,
  life: ProcessLife,
): Promise<void> {
  try {
    const background = await startBackground(url, configuration, log);
    life.onEnd('the background work', background.stop, BACKGROUND_ENDS_WITHIN_MS);
  } catch (error) {
    if (!(error instanceof UnsafeRole)) throw error;
    const way = 'Or set AGENTFLOW_WORKER=off, and run the worker in a process with a login of its own.';
    throw new UnsafeRole(`${error.message}\n${way}`, { cause: error });
  }
}

function announce(url: string, key: string | undefined): void {
  say('');
  say(`AgentFlow is running at ${url}`);
  say(`  API page  ${url}/docs`);
  if (key !== undefined) say(`  API key   ${key}   (shown this once, and kept in credentials.json)`);
  say('');
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
