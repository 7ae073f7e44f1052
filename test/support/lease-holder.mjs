/**
 * A holder of a lease, in a process of its own: heartbeats and steps in turn, as fast as they are answered, each told on
 * stdout as `<what> <status> <code>`. It ends with the first refusal.
 *
 *   node test/support/lease-holder.mjs <url of the run> <key> <token>
 */
const [run, key, token] = process.argv.slice(2);

async function send(what, path, body) {
  const response = await fetch(`${run}/${path}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'agentflow-lease': token,
    },
    body: JSON.stringify(body),
  });
  const { code } = await response.json();
  console.log(what, response.status, code ?? '');
  return response.ok;
}

for (let isMine = true; isMine;) {
  isMine = (await send('heartbeat', 'heartbeat', { lease_token: token })) || isMine;
  isMine = await send('step', 'steps', { node: 'work' });
}
