import {
  CheckpointsService,
  MessagesService,
  RunsService,
  StepsService,
  ToolCallsService,
  listRuns,
  type CheckpointSummaryRow,
  type MessageRow,
  type RunFilters,
  type RunRow,
  type RunSummaryRow,
  type StepRow,
  type ToolCallRow,
} from '@agentflow/core';
import { Database, type Actor, type Slice } from '@agentflow/database';
import { Injectable } from '@nestjs/common';
import { byIndex } from '../http/order.js';
import { byCreation, readPage, type Page } from '../http/page.js';

/** What can be shown together with a run. */
export const RUN_CHILDREN = ['steps', 'messages', 'tool_calls', 'checkpoints'] as const;
export type RunChildren = (typeof RUN_CHILDREN)[number];

/** A run, and the first pages of those of its children that were asked for. */
export interface RunWithChildren {
  run: RunRow;
  steps?: Page<StepRow>;
  messages?: Page<MessageRow>;
  tool_calls?: Page<ToolCallRow>;
  checkpoints?: Page<CheckpointSummaryRow>;
}

/** Reads of runs. */
@Injectable()
export class RunQueries {
  constructor(
    private readonly database: Database,
    private readonly runs: RunsService,
    private readonly steps: StepsService,
    private readonly messages: MessagesService,
    private readonly toolCalls: ToolCallsService,
    private readonly checkpoints: CheckpointsService,
  ) {}

  async list(actor: Actor, filters: RunFilters, slice: Slice): Promise<RunSummaryRow[]> {
    const [rows] = await this.database.read(actor, (tx) => [listRuns(tx, filters, slice)]);
    return rows;
  }

  /** The run and what was asked for of it, at one moment; the cursors go on in the lists of their own. */
  async show(actor: Actor, id: string, include: readonly RunChildren[]): Promise<RunWithChildren> {
    if (include.length === 0) return { run: await this.runs.get(actor, id) };
    return this.database.snapshot(actor, async (reader) => {
      const shown: RunWithChildren = { run: await this.runs.get(reader, id) };
      for (const children of include)
        Object.assign(shown, { [children]: await this.firstPage(reader, id, children) });
      return shown;
    });
  }

  private firstPage(actor: Actor, id: string, children: RunChildren): Promise<Page<unknown>> {
    switch (children) {
      case 'steps':
        return readPage(`runs/${id}/steps`, actor, {}, byIndex, (slice) => this.steps.list(actor, id, slice));
      case 'messages':
        return readPage(`runs/${id}/messages`, actor, {}, byIndex, (slice) =>
          this.messages.list(actor, id, slice),
        );
      case 'tool_calls':
        return readPage(`runs/${id}/tool-calls`, actor, {}, byCreation, (slice) =>
          this.toolCalls.list(actor, id, slice),
        );
      case 'checkpoints':
        return readPage(`runs/${id}/checkpoints`, actor, {}, byIndex, (slice) =>
          this.checkpoints.list(actor, id, slice),
        );
    }
  }
}
