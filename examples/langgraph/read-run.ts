import type {
  AgentFlow,
  CheckpointSummary,
  MessageRecord,
  RunDetail,
  StepRecord,
  ToolCallRecord,
} from '@agentflow/sdk';

/** A run with all that belongs to it. */
export interface WholeRun {
  run: RunDetail;
  steps: StepRecord[];
  toolCalls: ToolCallRecord[];
  messages: MessageRecord[];
  checkpoints: CheckpointSummary[];
}

/** Reads a run back, page by page. */
export async function readRun(client: AgentFlow, id: string): Promise<WholeRun> {
  const { steps, toolCalls, messages, checkpoints } = client.runs;
  return {
    run: await client.runs.get(id),
    steps: await all(steps.list(id)),
    toolCalls: await all(toolCalls.list(id)),
    messages: await all(messages.list(id)),
    checkpoints: await all(checkpoints.list(id)),
  };
}

async function all<T>(list: AsyncIterable<T>): Promise<T[]> {
  const rows: T[] = [];
  for await (const row of list) rows.push(row);
  return rows;
}
