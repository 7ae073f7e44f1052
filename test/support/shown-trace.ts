import type { Client } from './client.js';
import { runIdOf } from './otlp.js';

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

const PASSING = new Set([
  ...['created_at', 'updated_at', 'waiting_since', 'waited_ms'],
  ...['index', 'last_event_seq', 'next_cursor'],
]);

/** What is shown of the run of a trace, in an order of its own and without what depends on when it came. */
export async function shownTrace(client: Client, traceId: string): Promise<Row> {
  const answer = await client.get(`/v1/runs/${runIdOf(traceId)}?include=steps,messages,tool_calls`);
  if (answer.status !== 200) return { status: answer.status };
  const text = JSON.stringify(answer.body, (key, value: unknown) => (PASSING.has(key) ? undefined : value));
  const run = JSON.parse(text) as Row;
  for (const name of ['steps', 'messages', 'tool_calls']) run[name] = run[name].data.sort(byId);
  return run;
}

const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);

/** The same without ids, so that two traces of the same content are alike. */
export function withoutIds(run: Row): Row {
  const parse = (text: string): Row =>
    JSON.parse(text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{16,32}/g, 'ID'));
  const bare = parse(JSON.stringify(run));
  for (const name of ['steps', 'messages', 'tool_calls']) {
    bare[name].sort((a: Row, b: Row) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  return bare;
}
