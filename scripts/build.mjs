import { main, rebuild } from './prepare.mjs';

await main(rebuild);
