import { randomUUID } from 'node:crypto';
import { aStepEnd, aStepStart, at } from './items.js';
import type { Truth } from './truth.js';

type Item = Record<string, unknown> & { type: string; run_id: string };

/** The agent of a run that its announcement may come too late for. */
export const REPORTER = { name: 'reporter', adapter: 'custom' };

/** So many things of each kind are in one batch of 200 items. */
export const IN_BATCH = { steps: 60, messages: 40, checkpoints: 20, tool_calls: 10, tokens_in: 60 * 3 };

/** 200 items below these runs, in turns. */
export function aBatchOf200(runIds: readonly string[]): Item[] {
  const items: Item[] = [];
  const agent = REPORTER;
  let turn = 0;
  const next = (): string => runIds[turn++ % runIds.length] as string;
  for (let i = 0; i < IN_BATCH.steps; i++) {
    const [run, id] = [next(), randomUUID()];
    items.push(aStepStart(run, id, { agent, input: { i } }), aStepEnd(run, id, { tokens_in: 3 }));
  }
  for (let i = 0; i < IN_BATCH.messages; i++) {
    const content = `message ${i}`;
    items.push({
      type: 'message',
      run_id: next(),
      id: randomUUID(),
      at: at(i),
      role: 'user',
      content,
      agent,
    });
  }
  for (let i = 0; i < IN_BATCH.checkpoints; i++) {
    items.push({ type: 'checkpoint', run_id: next(), id: randomUUID(), at: at(i), state: { i }, agent });
  }
  for (let i = 0; i < IN_BATCH.tool_calls; i++) {
    const of = { run_id: next(), id: randomUUID(), at: at(i), agent };
    items.push({ ...of, type: 'tool_call.started', name: 'search' });
    items.push({ ...of, type: 'tool_call.completed', result: { i } });
  }
  return items;
}

const CHILDREN = ['steps', 'messages', 'checkpoints', 'tool_calls'] as const;
const INDEXED = ['steps', 'messages', 'checkpoints'] as const;

/** What is wrong with what is stored of these items: lost, made up, counted or numbered wrongly; nothing, ideally. */
export async function faultsOf(truth: Truth, items: readonly Item[]): Promise<string[]> {
  const faults: string[] = [];
  const runIds = [...new Set(items.map(({ run_id }) => run_id))];
  const sent = new Set(items.filter(({ id }) => id !== undefined).map(({ id }) => String(id)));
  let stored = 0;
  for (const table of CHILDREN) {
    const rows = await truth.query(`SELECT id FROM ${table} WHERE run_id = ANY ($1)`, [runIds]);
    stored += rows.length;
    faults.push(...rows.filter(({ id }) => !sent.has(id)).map(({ id }) => `${table} ${id} was never sent`));
  }
  if (stored !== sent.size) faults.push(`${stored} stored of ${sent.size} sent`);
  for (const table of INDEXED) {
    const rows = await truth.query(
      `SELECT run_id FROM ${table} WHERE run_id = ANY ($1) GROUP BY run_id
       HAVING min(index) <> 0 OR max(index) <> count(*) - 1 OR count(DISTINCT index) <> count(*)`,
      [runIds],
    );
    faults.push(...rows.map(({ run_id }) => `indexes of ${table} of ${run_id}`));
  }
  const wrong = await truth.query(
    `SELECT id FROM runs WHERE id = ANY ($1) AND (
       next_step_index <> (SELECT count(*) FROM steps WHERE run_id = runs.id)
       OR next_message_index <> (SELECT count(*) FROM messages WHERE run_id = runs.id)
       OR next_checkpoint_index <> (SELECT count(*) FROM checkpoints WHERE run_id = runs.id)
       OR tool_calls <> (SELECT count(*) FROM tool_calls WHERE run_id = runs.id)
       OR tokens_in <> (SELECT coalesce(sum(tokens_in), 0) FROM steps WHERE run_id = runs.id)
       OR last_event_seq <> (SELECT count(*) FROM run_events WHERE run_id = runs.id)
       OR last_event_xid <> (SELECT max(xid) FROM run_events WHERE run_id = runs.id))`,
    [runIds],
  );
  faults.push(...wrong.map(({ id }) => `totals of ${id}`));
  return faults;
}
