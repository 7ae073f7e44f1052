import { ask } from './search-graph.mjs';

await ask();
