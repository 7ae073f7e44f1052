import { CONFIGURATION_SAMPLES } from './samples-of-configuration.js';
import { RUN_SAMPLES } from './samples-of-runs.js';
import { REPORT_SAMPLES } from './samples-of-reports.js';
import type { Samples } from './sample.js';

/**
 * How every route is called, by `METHOD /path`. A route that is not here fails the suite: write down who may call it
 * and a body with which it succeeds, and all keys are tried on it.
 */
export const SAMPLES: Samples = { ...CONFIGURATION_SAMPLES, ...RUN_SAMPLES, ...REPORT_SAMPLES };
