import { CONFIGURATION_SAMPLES } from './samples-of-configuration.js';
import { RUN_SAMPLES } from './samples-of-runs.js';
import { REPORT_SAMPLES } from './samples-of-reports.js';
import type { Samples } from './sample.js';

/** Doors that take one thing, as an object of ours; the others take batches, or speak as other products do. */
export const PLAIN_SAMPLES: Samples = { ...CONFIGURATION_SAMPLES, ...RUN_SAMPLES };

/**
 * How every route is called, by `METHOD /path`. A route that is not here fails the suite: write down who may call it
 * and a body with which it succeeds, and all keys are tried on it.
 */
export const SAMPLES: Samples = { ...PLAIN_SAMPLES, ...REPORT_SAMPLES };

/** Doors for the clients of others, who describe them, and who know of no `Idempotency-Key`. */
export const OF_OTHERS = /^\/(?:v1\/(?:traces|logs|metrics)|otel|langsmith|langfuse|openai)(?:\/|$)/;
