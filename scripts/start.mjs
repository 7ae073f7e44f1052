import { availableParallelism } from 'node:os';
import { main, prepare } from './prepare.mjs';

/** More would hardly be kept busy by one Postgres beside them. */
const MOST_PROCESSES = 4;

// The server runs in this process, not in a child, so that a signal reaches it once and from whoever sent it.
await main(() => prepare({ build: true }));
process.env.AGENTFLOW_API_PROCESSES ||= String(Math.min(availableParallelism(), MOST_PROCESSES));
process.setSourceMapsEnabled(true);
await import('../dist/apps/api/src/main.js');
