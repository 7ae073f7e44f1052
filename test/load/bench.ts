import { eventDelay } from './event-delay.js';
import { httpOverhead } from './http-overhead.js';
import { ingestBatch } from './ingest-batch.js';
import { ingestOtlp } from './ingest-otlp.js';
import { ingestWhileWatched } from './ingest-while-watched.js';
import { listVsSql } from './list-vs-sql.js';
import { overloadMemory } from './overload-memory.js';
import { withServer, type Server } from './server.js';
import { writeOne, writeOneAlike } from './write-one.js';

/** One row: how far the product is from its limit, as a ratio measured within one run, or in the unit of its goal. */
interface Row {
  /** The figure that is aimed at, as it is printed. */
  goal: string;
  measure(server: Server): Promise<number>;
  /** By how many processes the API is served; unset: as many as `npm start` takes. */
  processes?: number;
}

const ROWS: Record<string, Row> = {
  'ingest-batch': { goal: '>= 0.7', measure: ingestBatch },
  'ingest-otlp': { goal: '>= 0.5', measure: ingestOtlp },
  'write-one': { goal: '>= 0.6', measure: writeOne },
  'write-one-alike': { goal: '>= 0.6', measure: writeOneAlike },
  'overload-memory': { goal: '<= 1.1', measure: overloadMemory },
  'list-vs-sql': { goal: '<= 2', measure: listVsSql },
  'event-delay': { goal: '<= 250 ms', measure: eventDelay },
  'ingest-while-watched': { goal: '>= 0.9', measure: ingestWhileWatched },
  'http-overhead': { goal: '>= 0.5', measure: httpOverhead, processes: 1 },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in ROWS));
if (unknown.length > 0) {
  console.error(`There is no row ${unknown.join(', ')}. There are: ${Object.keys(ROWS).join(', ')}.`);
  process.exit(2);
}

const results: string[] = [];
for (const [name, { goal, measure, processes }] of Object.entries(ROWS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n${name}`);
  const figure = await withServer(measure, processes);
  results.push(`bench ${name}: ${figure.toFixed(2)} (goal ${goal})`);
}
console.log(`\n${results.join('\n')}`);
process.exit(0);
