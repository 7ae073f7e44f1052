import { randomUUID } from 'node:crypto';
import type { Client } from '../client.js';
import type { Item } from './reported-set.js';

type Row = any; // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers freely

/** One sending of a set: its names as ids that nobody has used before, and back. */
export interface Sending {
  items: Item[];
  /** Ids of runs. */
  runIds: string[];
  /** A text with names in the place of ids. */
  named(text: string): string;
}

const NAME = /"((?:run\d+(?:step|call|message|checkpoint)?\d*|elsewhere\d+))"/g;

/** The set as things that nobody has told of yet. */
export function sendingOf(set: readonly Item[]): Sending {
  const ids = new Map<string, string>();
  const idOf = (name: string): string => {
    const id = ids.get(name) ?? randomUUID();
    ids.set(name, id);
    return id;
  };
  const items = JSON.parse(JSON.stringify(set).replaceAll(NAME, (_all, name: string) => `"${idOf(name)}"`));
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  return {
    items,
    runIds: [...new Set<string>(items.map(({ run_id }: Item) => run_id))],
    named: (text) => text.replaceAll(/[0-9a-f-]{36}/g, (id) => names.get(id) ?? id),
  };
}

const PASSING = new Set([
  'created_at',
  'updated_at',
  'waiting_since',
  'waited_ms',
  'index',
  'last_event_seq',
]);
const LISTS = ['steps', 'messages', 'tool_calls', 'checkpoints'] as const;

/** What is shown of the runs of a sending, without what depends on when it came; and what is wrong about the indexes. */
export async function shownOf(
  client: Client,
  { runIds, named }: Sending,
): Promise<{ rows: Row; faults: string[] }> {
  const faults: string[] = [];
  const runs = [];
  for (const id of runIds) {
    const run = (await client.get(`/v1/runs/${id}?include=${LISTS.join(',')}`)).body;
    for (const name of LISTS) faults.push(...indexFaults(name, run[name].data));
    faults.push(...totalFaults(run));
    for (const checkpoint of run.checkpoints.data) {
      checkpoint.state = (await client.get(`/v1/runs/${id}/checkpoints/${checkpoint.index}`)).body.state;
    }
    runs.push(run);
  }
  const text = JSON.stringify(runs, (key, value: unknown) => (PASSING.has(key) ? undefined : value));
  const rows = JSON.parse(named(text)) as Row[];
  for (const run of rows) for (const name of LISTS) run[name].data.sort(byId);
  return { rows: rows.sort(byId), faults };
}

const byId = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);

function indexFaults(name: string, rows: Row[]): string[] {
  if (name === 'tool_calls') return [];
  const indexes = rows.map(({ index }) => index).sort((a, b) => a - b);
  return indexes.every((index, i) => index === i) ? [] : [`indexes of ${name}: ${indexes.join(', ')}`];
}

/** The totals, reckoned from what is shown: only the deepest step that says a measure counts for it. */
function totalFaults({ totals, steps: { data: steps }, ...run }: Row): string[] {
  const above = new Map(steps.map(({ id, parent_step_id }: Row) => [id, parent_step_id]));
  const below = (says: (step: Row) => boolean): Set<unknown> => {
    const covered = new Set<unknown>();
    for (const step of steps.filter(says)) {
      for (let id = above.get(step.id); id; id = above.get(id)) covered.add(id);
    }
    return covered;
  };
  const tokens = below((step) => step.tokens_in !== null || step.tokens_out !== null);
  const costs = below((step) => step.cost_usd !== null);
  const sum = (member: string, covered: Set<unknown>): number =>
    steps.reduce((all: number, step: Row) => all + (covered.has(step.id) ? 0 : Number(step[member] ?? 0)), 0);
  const count = (rows: Row[], status: string): number => rows.filter((row) => row.status === status).length;
  const expected: Record<string, number> = {
    steps: steps.length,
    failed_steps: count(steps, 'failed'),
    messages: run.messages.data.length,
    checkpoints: run.checkpoints.data.length,
    tool_calls: run.tool_calls.data.length,
    failed_tool_calls: count(run.tool_calls.data, 'failed'),
    tokens_in: sum('tokens_in', tokens),
    tokens_out: sum('tokens_out', tokens),
    cost_usd: sum('cost_usd', costs),
  };
  return Object.keys(expected)
    .filter((name) => name in totals && Math.abs(Number(totals[name]) - (expected[name] as number)) > 1e-9)
    .map((name) => `total of ${name}: ${totals[name]} for ${expected[name]}`);
}
