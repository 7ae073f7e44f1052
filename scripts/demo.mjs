import { main, say } from './prepare.mjs';
import { withRunningServer } from './running-server.mjs';

/** Lets a LangGraph agent report a run into the server that is running, and prints what the server has of it. */
await main(() =>
  withRunningServer(async ({ url, me: { organization, project }, client }) => {
    const { runDemo } = await import('../examples/langgraph/main.ts');
    const { drawRun } = await import('../examples/langgraph/run-tree.ts');
    say(`A LangGraph agent reports to ${organization.name} at ${url}\n`);
    const projectId = project?.id ?? (await firstProject(client));
    console.log(drawRun(await runDemo({ client, projectId })));
  }),
);

/** The one that the server made when it was set up, or the oldest that the key sees. */
async function firstProject(client) {
  let oldest;
  for await (const project of client.projects.list()) {
    if (project.name === 'default') return project.id;
    oldest = project.id;
  }
  return oldest;
}
