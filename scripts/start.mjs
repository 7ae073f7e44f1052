import { main, prepare } from './prepare.mjs';

// The server runs in this process, not in a child, so that a signal reaches it once and from whoever sent it.
await main(() => prepare({ build: true }));
process.setSourceMapsEnabled(true);
await import('../dist/apps/api/src/main.js');
