import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationFailed, main, prepare, root, say } from './prepare.mjs';

/**
 * Lets a LangGraph agent report a run into the server that is running, and prints what the server has of it.
 * Where the server is comes from AGENTFLOW_BASE_URL and AGENTFLOW_API_KEY, else from what the server left in its
 * data directory.
 */
await main(async () => {
  const { url, key } = readCredentials();
  if (!existsSync(join(root, 'node_modules/@langchain/langgraph'))) await prepare({ build: false });
  await import('../test/support/typescript.mjs');
  const { AgentFlow, AgentFlowError, ConnectionError } = await import('../libs/sdk/src/index.ts');
  const { runDemo } = await import('../examples/langgraph/main.ts');
  const { drawRun } = await import('../examples/langgraph/run-tree.ts');
  try {
    // Whether anybody is there shows at once; what comes after may be tried again.
    const { organization, project } = await new AgentFlow({ baseUrl: url, apiKey: key, maxRetries: 0 }).me();
    say(`A LangGraph agent reports to ${organization.name} at ${url}\n`);
    const client = new AgentFlow({ baseUrl: url, apiKey: key });
    const projectId = project?.id ?? (await firstProject(client));
    console.log(drawRun(await runDemo({ client, projectId })));
  } catch (error) {
    if (error instanceof ConnectionError) {
      throw new PreparationFailed(`No AgentFlow answers at ${url}. Run npm start in another terminal first.`);
    }
    throw error instanceof AgentFlowError ? new PreparationFailed(`${url} answered ${error.message}`) : error;
  }
});

/** The one that the server made when it was set up, or the oldest that the key sees. */
async function firstProject(client) {
  let oldest;
  for await (const project of client.projects.list()) {
    if (project.name === 'default') return project.id;
    oldest = project.id;
  }
  return oldest;
}

function readCredentials() {
  const dataDir = process.env.AGENTFLOW_DATA_DIR || join(root, '.agentflow');
  const file = join(dataDir, 'credentials.json');
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
  const url = process.env.AGENTFLOW_BASE_URL || known.url;
  const key = process.env.AGENTFLOW_API_KEY || known.key;
  if (url && key) return { url, key };
  throw new PreparationFailed(
    `There is no ${url ? 'key' : 'address'} of a server in ${file}. Run npm start in another terminal first, or set ` +
      'AGENTFLOW_BASE_URL and AGENTFLOW_API_KEY.',
  );
}
