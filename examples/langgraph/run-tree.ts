import type { MessageRecord, StepRecord, ToolCallRecord } from '@agentflow/sdk';
import type { WholeRun } from './read-run.js';

const WIDTH = 80;
const LATENCY = 9;
const TOKENS = 14;

/** Statuses by shape, so that they are told apart without colour. */
const SHAPES: Readonly<Record<string, string>> = {
  pending: '○',
  running: '●',
  retrying: '↻',
  waiting_human: '◐',
  succeeded: '✓',
  failed: '✗',
  skipped: '–',
  cancelled: '⊘',
};

/**
 * A run as plain text of 80 columns: its steps as a tree with their tool calls, messages, checkpoints, totals. What there
 * is none of is left out.
 */
export function drawRun(whole: WholeRun): string {
  const { run, messages, checkpoints } = whole;
  const ended = run.started_at && run.ended_at ? Date.parse(run.ended_at) - Date.parse(run.started_at) : null;
  return [
    row(`${SHAPES[run.status]} ${run.name ?? 'run'}: ${run.status}`, inMs(ended), tokens(run.totals)),
    fit(`  ${run.adapter}, agent version ${run.agent_version}, run ${run.id}`),
    ...(run.error === null ? [] : [fit(`  ${run.error_type ?? run.status}: ${run.error}`)]),
    ...section(row('Steps', 'latency', 'tokens in/out'), stepLines(belongings(whole), null, '')),
    ...section(
      'Tool calls outside steps',
      whole.toolCalls.filter(({ step_id }) => step_id === null).flatMap((call) => callLines(call, '')),
    ),
    ...section('Messages', messages.map(messageLine)),
    ...section(
      'Checkpoints',
      checkpoints.map(({ index, label, state_bytes }) =>
        fit(`${index} ${label ?? ''} (${state_bytes} bytes)`),
      ),
    ),
    ...section('Totals', totalLines(whole)),
  ].join('\n');
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** What belongs to each step, by its id; what belongs to none stands under null. */
interface Belongings {
  steps: Map<string | null, StepRecord[]>;
  calls: Map<string | null, ToolCallRecord[]>;
}

function belongings({ steps, toolCalls }: WholeRun): Belongings {
  return {
    steps: groupBy(steps, ({ parent_step_id }) => parent_step_id),
    calls: groupBy(toolCalls, ({ step_id }) => step_id),
  };
}

function groupBy<T>(rows: T[], keyOf: (row: T) => string | null): Map<string | null, T[]> {
  const groups = new Map<string | null, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

function stepLines(all: Belongings, parentId: string | null, indent: string): string[] {
  const steps = all.steps.get(parentId) ?? [];
  return steps.flatMap((step, at) => {
    const isLast = at === steps.length - 1;
    const below = indent + (isLast ? '   ' : '│  ');
    const calls = all.calls.get(step.id) ?? [];
    return [
      row(`${indent}${isLast ? '└─' : '├─'} ${stepTitle(step)}`, inMs(step.latency_ms), tokens(step)),
      ...calls.flatMap((call) => callLines(call, below + (all.steps.has(step.id) ? '│  ' : '   '))),
      ...stepLines(all, step.id, below),
    ];
  });
}

function stepTitle({ status, node, kind, model, metadata }: StepRecord): string {
  const kindOf = [kind, model].filter(Boolean).join(' ');
  const attempt = metadata['attempt'] === undefined ? '' : `, attempt ${String(metadata['attempt'])}`;
  return `${SHAPES[status]} ${node} (${kindOf}${attempt})`;
}

function callLines(call: ToolCallRecord, indent: string): string[] {
  const { name, status, provider_call_id, error, error_type } = call;
  const outcome =
    status === 'failed' ? `${error_type ?? 'Error'}: ${error ?? ''}` : JSON.stringify(call.result);
  return [
    fit(
      `${indent}${SHAPES[status]} ${provider_call_id ?? 'call'}: ${name}(${JSON.stringify(call.arguments)})`,
    ),
    fit(`${indent}  → ${outcome}`),
  ];
}

function messageLine({ index, role, content, tool_call_id, extra }: MessageRecord): string {
  const asked = (extra as { tool_calls?: { name: string }[] } | null)?.tool_calls ?? [];
  const names = asked.map(({ name }) => name).join(', ');
  const text = content || (names && `asks for ${names}`);
  return fit(`${index} ${role.padEnd(10)} ${tool_call_id ? `${tool_call_id}: ` : ''}${text}`);
}

function totalLines({ run: { totals }, steps: all }: WholeRun): string[] {
  const { steps, failed_steps, tool_calls, failed_tool_calls, messages, tokens_in, tokens_out, cost_usd } =
    totals;
  // A total of 0 may also mean that no cost is known.
  const cost = all.some((step) => step.cost_usd !== null) ? `, ${cost_usd} USD` : '';
  return [
    `${steps} steps (${failed_steps} failed), ${tool_calls} tool calls (${failed_tool_calls} failed), ${messages} messages`,
    `${tokens_in} tokens in, ${tokens_out} tokens out${cost}`,
  ];
}

function tokens({ tokens_in, tokens_out }: { tokens_in: number | null; tokens_out: number | null }): string {
  return tokens_in === null && tokens_out === null ? '' : `${tokens_in ?? 0} / ${tokens_out ?? 0}`;
}

function inMs(latency: number | null): string {
  return latency === null ? '' : `${latency} ms`;
}

function row(title: string, latency: string, usage: string): string {
  const left = WIDTH - LATENCY - TOKENS;
  return `${fit(title, left).padEnd(left)}${latency.padStart(LATENCY)}${usage.padStart(TOKENS)}`.trimEnd();
}

/** One line; what an agent wrote moves no cursor and turns no text round. */
function fit(text: string, width: number = WIDTH): string {
  const line = text.replaceAll(/[\s\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, ' ');
  return line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
