import type { RunRow } from '@agentflow/core';
import { CheckpointPage } from '../../checkpoints/dto/checkpoint.dto.js';
import { ChoiceList, Nested } from '../../http/field-kinds.js';
import { MessagePage } from '../../messages/dto/message.dto.js';
import { StepPage } from '../../steps/dto/step.response.js';
import { ToolCallPage } from '../../tool-calls/dto/tool-call.response.js';
import { RUN_CHILDREN, type RunChildren, type RunWithChildren } from '../run-queries.js';
import { RunResponse } from './run.response.js';

export class ShowRunQuery {
  @ChoiceList({
    of: RUN_CHILDREN,
    optional: true,
    description: 'Show the first 50 of these as well, comma-separated.',
  })
  include?: RunChildren[];
}

export class RunWithChildrenResponse extends RunResponse {
  @Nested(() => StepPage, { optional: true, description: 'The first steps, when they were asked for.' })
  steps?: StepPage;

  @Nested(() => MessagePage, { optional: true, description: 'The first messages, when they were asked for.' })
  messages?: MessagePage;

  @Nested(() => ToolCallPage, {
    optional: true,
    description: 'The first tool calls, when they were asked for.',
  })
  tool_calls?: ToolCallPage;

  @Nested(() => CheckpointPage, {
    optional: true,
    description: 'The first checkpoints, when they were asked for.',
  })
  checkpoints?: CheckpointPage;

  static override of(shown: RunRow | RunWithChildren): RunWithChildrenResponse {
    if (!('run' in shown)) return RunResponse.of(shown);
    const { run, steps, messages, tool_calls, checkpoints } = shown;
    return {
      ...RunResponse.of(run),
      ...(steps && { steps: StepPage.of(steps) }),
      ...(messages && { messages: MessagePage.of(messages) }),
      ...(tool_calls && { tool_calls: ToolCallPage.of(tool_calls) }),
      ...(checkpoints && { checkpoints: CheckpointPage.of(checkpoints) }),
    };
  }
}
