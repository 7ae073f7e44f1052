import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PreparationFailed, prepare, root } from './prepare.mjs';

/**
 * Does something with the server that is running. Where it is comes from AGENTFLOW_BASE_URL and AGENTFLOW_API_KEY, else
 * from what the server left in its data directory. What the server refuses, and that there is none, ends the work with
 * a sentence.
 */
export async function withRunningServer(work) {
  process.stdout.on('error', endQuietly);
  const { url, key } = readCredentials();
  if (!existsSync(join(root, 'node_modules/@langchain/langgraph'))) await prepare({ build: false });
  await import('../test/support/typescript.mjs');
  const { AgentFlow, AgentFlowError, ConnectionError } = await import('../libs/sdk/src/index.ts');
  try {
    // Whether anybody is there shows at once; what comes after may be tried again.
    const me = await new AgentFlow({ baseUrl: url, apiKey: key, maxRetries: 0 }).me();
    await work({ url, key, me, client: new AgentFlow({ baseUrl: url, apiKey: key }) });
  } catch (error) {
    if (error instanceof ConnectionError) {
      throw new PreparationFailed(`No AgentFlow answers at ${url}. Run npm start in another terminal first.`);
    }
    throw error instanceof AgentFlowError ? new PreparationFailed(`${url} answered ${error.message}`) : error;
  }
}

/** Whoever reads what is printed may have read enough, as `head` does. */
function endQuietly(error) {
  if (error.code !== 'EPIPE') throw error;
  process.exit(0);
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
