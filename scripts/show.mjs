import { PreparationFailed, main } from './prepare.mjs';
import { withRunningServer } from './running-server.mjs';

/**
 * Prints what the server that is running has of a run.
 *
 *   npm run show             the newest run that the key sees
 *   npm run show <run id>    that one
 */
await main(() =>
  withRunningServer(async ({ client, url }) => {
    const { readRun } = await import('../examples/langgraph/read-run.ts');
    const { drawRun } = await import('../examples/langgraph/run-tree.ts');
    const id = process.argv[2] ?? (await newestRun(client));
    if (id === undefined) throw new PreparationFailed(`Nobody has reported a run to ${url} yet.`);
    console.log(drawRun(await readRun(client, id)));
  }),
);

async function newestRun(client) {
  const { data } = await client.runs.list({ limit: 1 }).page();
  return data[0]?.id;
}
