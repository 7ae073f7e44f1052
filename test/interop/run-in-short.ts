import type { Client } from '../support/client.js';

/** A run as it is read over REST, without what differs from one time to the next. */
export interface RunInShort {
  readonly agent: string;
  readonly adapter: string;
  readonly status: string;
  readonly session: string | null;
  readonly error: string | null;
  readonly tokens: readonly [number, number];
  readonly cost: string;
  /**
   * A line each, indented below the step that it belongs to, in the order of their starts: node, kind, model, tokens in and
   * out. Their indexes tell the order in which they arrived, and requests that are sent at once arrive in any.
   */
  readonly steps: readonly string[];
  /** By name; calls that are made at once come in either order. */
  readonly calls: readonly CallInShort[];
  readonly messages: readonly (readonly [role: string, content: string | null])[];
}

interface CallInShort {
  readonly name: string;
  readonly status: string;
  readonly arguments: unknown;
  /** As JSON. */
  readonly result: string;
  readonly error: string | null;
  readonly provider_call_id: string | null;
}

interface Step {
  id: string;
  parent_step_id: string | null;
  node: string;
  kind: string;
  status: string;
  started_at: string;
  model: string | null;
  tokens_in: number | null;
  tokens_out: number | null;
}

export async function inShort(client: Client, id: string): Promise<RunInShort> {
  const run = (await client.get(`/v1/runs/${id}?include=steps,messages,tool_calls`)).body;
  const agent = (await client.get(`/v1/agents/${run.agent_id}`)).body;
  const { totals } = run;
  return {
    agent: agent.name,
    adapter: run.adapter,
    status: run.status,
    session: run.session_id,
    error: run.error,
    tokens: [Number(totals.tokens_in), Number(totals.tokens_out)],
    cost: totals.cost_usd,
    steps: outlineOf(run.steps.data),
    calls: run.tool_calls.data.map(callInShort).sort(byName),
    messages: run.messages.data.map(({ role, content }: Record<string, unknown>) => [role, content]),
  };
}

function outlineOf(steps: readonly Step[], parent: string | null = null): string[] {
  return steps
    .filter(({ parent_step_id }) => parent_step_id === parent)
    .sort((one, other) =>
      one.started_at < other.started_at ? -1 : Number(one.started_at > other.started_at),
    )
    .flatMap((step) => [lineOf(step), ...outlineOf(steps, step.id).map((line) => `  ${line}`)]);
}

function lineOf({ node, kind, status, model, tokens_in, tokens_out }: Step): string {
  const used = tokens_in === null ? [] : [`${tokens_in}/${tokens_out}`];
  const unusual = status === 'succeeded' ? [] : [status];
  return [node, kind, ...(model === null ? [] : [model]), ...used, ...unusual].join(' ');
}

function callInShort(call: Record<string, unknown>): CallInShort {
  const { name, status, result, error, provider_call_id } = call;
  return {
    ...{ name, status, error, provider_call_id },
    arguments: call.arguments,
    result: JSON.stringify(result),
  } as CallInShort;
}

function byName(one: CallInShort, other: CallInShort): number {
  return one.name < other.name ? -1 : Number(one.name > other.name);
}
