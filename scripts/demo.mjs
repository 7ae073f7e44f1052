import { main, say } from './prepare.mjs';
import { withRunningServer } from './running-server.mjs';

const flags = process.argv.slice(2);

/**
 * Lets a LangGraph agent report a run into the server that is running, and prints what the server has of it. With `--approval`
 * one that asks before it acts, and one that is called off; with `--wait` too, somebody else has to decide.
 */
await main(() =>
  withRunningServer(async ({ url, key, me: { organization, project }, client }) => {
    const { drawRun } = await import('../examples/langgraph/run-tree.ts');
    say(`A LangGraph agent reports to ${organization.name} at ${url}\n`);
    const projectId = project?.id ?? (await firstProject(client));
    if (!flags.includes('--approval')) {
      const { runDemo } = await import('../examples/langgraph/main.ts');
      console.log(drawRun(await runDemo({ client, projectId })));
      return;
    }
    const { runApproved, runCancelled } = await import('../examples/langgraph/approval.ts');
    const operated = { client, access: { url, key }, projectId, tell: say };
    console.log(drawRun(await runApproved(operated, flags.includes('--wait') ? shown : decided)));
    console.log(drawRun(await runCancelled(operated)));

    /** A person who would rather sit at the aisle. */
    async function decided({ id, payload }) {
      const { ask } = await import('../examples/langgraph/control.ts');
      const answer = { ...payload.arguments, seat: 'aisle' };
      say(
        `It wants ${payload.tool} with ${JSON.stringify(payload.arguments)}, and may with ${JSON.stringify(answer)}.`,
      );
      await ask({ url, key }, 'POST', `approvals/${id}/decide`, {
        ...{ decision: 'edit', answer, reason: 'rather the aisle' },
      });
    }

    async function shown({ id, payload }) {
      say(
        `It wants ${payload.tool} with ${JSON.stringify(payload.arguments)}. Decide, with your key in $KEY:\n`,
      );
      say(
        `  curl ${url}/v1/approvals/${id}/decide -H "Authorization: Bearer $KEY" --json '{"decision": "approve"}'\n`,
      );
    }
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
