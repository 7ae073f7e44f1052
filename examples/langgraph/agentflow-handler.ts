import type { AgentFlow, AgentReference } from '@agentflow/sdk';
import { BaseCallbackHandler } from '@langchain/core/callbacks/base';
import type { Serialized } from '@langchain/core/load/serializable';
import { AIMessage, BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { LLMResult } from '@langchain/core/outputs';
import { isGraphInterrupt } from '@langchain/langgraph';
import { jsonIn, messageOf, plain } from './plain.js';
import { RunReport, type StepEnd } from './run-report.js';

export interface AgentFlowHandlerOptions {
  client: AgentFlow;
  /** Under which name, and as what, the graph is known. */
  agent: AgentReference;
  /** Where an unknown agent is registered; only a key of the whole organization has to say so. */
  projectId?: string;
  /** Hears of reports that failed; the agent never does. */
  onError?: (error: unknown) => void;
}

/** Where a callback belongs: its run, the innermost step that was reported, and the call that it carries out. */
interface Place {
  report: RunReport;
  stepId?: string;
  providerCallId?: string;
}

type Metadata = Record<string, unknown>;

/**
 * Reports the invocations of a LangGraph graph while they run: the graph as a run, its nodes as steps, the models
 * and tools in them as steps below those, tool calls, messages, and the state at the end as a checkpoint. Runs and
 * steps have the ids that LangChain gave them. Given as one of the `callbacks` of an invocation.
 *
 * A graph that is interrupted makes its run wait, with an approval for each interrupt; the next invocation of the same thread
 * goes on in the same run. The node that was interrupted is a step that was skipped: it begins anew then.
 *
 * Not yet: streaming, retrievers.
 */
export class AgentFlowHandler extends BaseCallbackHandler {
  readonly name = 'agentflow';
  readonly #options: AgentFlowHandlerOptions;
  readonly #places = new Map<string, Place>();
  /** What the nodes of a run have asked people. */
  readonly #questions = new Map<RunReport, unknown[]>();
  /** Runs that wait, by their threads. */
  readonly #paused = new Map<unknown, RunReport>();
  readonly #threads = new Map<string, unknown>();

  constructor(options: AgentFlowHandlerOptions) {
    super({ _awaitHandler: true }); // the end of a run waits for its report; everything else returns at once
    this.#options = options;
  }

  /** Resolves when what was reported so far of a run is sent. */
  async sent(runId: string): Promise<void> {
    await this.#places.get(runId)?.report.sent();
  }

  /** Reports nothing more of a run: it has ended elsewhere. */
  abandon(runId: string): void {
    this.#places.get(runId)?.report.abandon();
  }

  /** LangChain copies handlers; a copy would not know the places. */
  override copy(): this {
    return this;
  }

  /** LangChain declares these parameters in another order than it gives them in, which is this one. */
  override handleChainStart(
    _chain: Serialized,
    inputs: unknown,
    id: string,
    parentId?: string,
    _tags?: string[],
    metadata: Metadata = {},
    _type?: string,
    name?: string,
  ): void {
    if (parentId === undefined) return this.#startRun(id, inputs, metadata, name);
    const place = this.#enter(id, parentId);
    // A node is the chain that has its name. Conditions and other inner chains are passed over.
    if (name === '__start__' || name !== metadata['langgraph_node']) return;
    this.#startStep(id, place, { node: String(name), kind: 'chain', input: plain(inputs) });
  }

  override handleChainEnd(outputs: unknown, id: string, parentId?: string): Promise<void> | void {
    const output = plain(outputs);
    if (parentId !== undefined) return this.#endStep(id, { output });
    const report = this.#places.get(id)?.report;
    const questions = report && this.#questions.get(report);
    if (report && questions) {
      report.wait(questions);
      this.#questions.delete(report);
      this.#paused.set(this.#threads.get(id), report);
      return this.#leaveRun(id, report);
    }
    report?.checkpoint('end', output);
    report?.succeed(output);
    return this.#leaveRun(id, report);
  }

  override handleChainError(error: unknown, id: string, parentId?: string): Promise<void> | void {
    if (isGraphInterrupt(error)) {
      const place = this.#places.get(id);
      const asked = error.interrupts.map(({ value }) => plain(value));
      if (place?.stepId === id)
        this.#questions.set(place.report, [...(this.#questions.get(place.report) ?? []), ...asked]);
      return this.#endStep(id, { status: 'skipped' });
    }
    if (parentId !== undefined) return this.#endStep(id, failureOf(error));
    const report = this.#places.get(id)?.report;
    report?.fail(failureOf(error));
    return this.#leaveRun(id, report);
  }

  override handleChatModelStart(
    _model: Serialized,
    messages: BaseMessage[][],
    id: string,
    parentId?: string,
    _extra?: Metadata,
    _tags?: string[],
    _metadata?: Metadata,
    name = 'chat',
  ): void {
    this.#startStep(id, this.#enter(id, parentId), {
      node: name,
      kind: 'llm',
      input: plain(messages.flat()),
    });
  }

  override handleLLMEnd({ generations }: LLMResult, id: string): void {
    const { report } = this.#places.get(id) ?? {};
    const { message } = (generations[0]?.[0] ?? {}) as { message?: unknown };
    if (!AIMessage.isInstance(message)) return this.#endStep(id, { output: plain(generations) });
    this.#endStep(id, { output: plain(message), ...usageOf(message) });
    report?.message({ ...messageOf(message), step_id: id });
  }

  override handleLLMError(error: unknown, id: string): void {
    this.#endStep(id, failureOf(error));
  }

  override handleToolStart(
    _tool: Serialized,
    input: string,
    id: string,
    parentId?: string,
    _tags?: string[],
    _metadata?: Metadata,
    name = 'tool',
    providerCallId?: string,
  ): void {
    const place = this.#enter(id, parentId);
    if (!place) return;
    place.report.startTool({ id, parentId: place.stepId, name, input: jsonIn(input), providerCallId });
    this.#places.set(id, { ...place, stepId: id, providerCallId });
  }

  override handleToolEnd(output: unknown, id: string): void {
    const { report, providerCallId } = this.#leave(id) ?? {};
    if (!ToolMessage.isInstance(output))
      return report?.endTool(id, providerCallId, { output: plain(output) });
    const isFailure = output.status === 'error';
    report?.endTool(id, providerCallId, isFailure ? { error: output.text } : { output: jsonIn(output.text) });
    report?.message({ ...messageOf(output), step_id: id });
  }

  override handleToolError(error: unknown, id: string): void {
    const { report, providerCallId } = this.#leave(id) ?? {};
    report?.endTool(id, providerCallId, failureOf(error));
  }

  #startRun(id: string, inputs: unknown, metadata: Metadata, name: string | undefined): void {
    const { client, agent, projectId, onError = console.warn } = this.#options;
    const session = metadata['thread_id'];
    this.#threads.set(id, session);
    const paused = this.#paused.get(session);
    if (paused) {
      this.#paused.delete(session);
      this.#places.set(id, { report: paused });
      return;
    }
    const report = new RunReport(
      client,
      {
        id,
        agent,
        name,
        project_id: projectId,
        input: plain(inputs),
        ...(typeof session === 'string' ? { session_id: session } : {}),
      },
      onError,
    );
    this.#places.set(id, { report });
    for (const message of messagesIn(inputs)) report.message(messageOf(message));
  }

  #startStep(
    id: string,
    place: Place | undefined,
    step: { node: string; kind: string; input: unknown },
  ): void {
    if (!place) return;
    place.report.startStep({ id, parent_step_id: place.stepId, ...step });
    this.#places.set(id, { ...place, stepId: id });
  }

  #endStep(id: string, end: StepEnd): void {
    const place = this.#leave(id);
    if (place?.stepId === id) place.report.endStep(id, end);
  }

  /** The place of a callback is that of its parent until it is reported as a step itself. */
  #enter(id: string, parentId: string | undefined): Place | undefined {
    const place = this.#places.get(parentId ?? '');
    if (place) this.#places.set(id, place);
    return place;
  }

  #leave(id: string): Place | undefined {
    const place = this.#places.get(id);
    this.#places.delete(id);
    return place;
  }

  #leaveRun(id: string, report: RunReport | undefined): Promise<void> | undefined {
    this.#places.delete(id);
    this.#threads.delete(id);
    return report?.sent();
  }
}

function messagesIn(inputs: unknown): BaseMessage[] {
  const { messages } = (inputs ?? {}) as { messages?: unknown };
  return Array.isArray(messages) ? messages.filter((message) => BaseMessage.isInstance(message)) : [];
}

function failureOf(error: unknown): { error: string; error_type?: string } {
  const { name, message } = (error ?? {}) as Partial<Error>;
  return { error: message || String(error), ...(name ? { error_type: name } : {}) };
}

function usageOf({ usage_metadata: usage, response_metadata }: AIMessage): StepEnd {
  const { model_name: model, model_provider: provider } = response_metadata as Record<
    string,
    string | undefined
  >;
  if (!usage) return { model, provider };
  const details = { ...usage.input_token_details, ...usage.output_token_details };
  return {
    model,
    provider,
    tokens_in: usage.input_tokens,
    tokens_out: usage.output_tokens,
    token_details: details,
  };
}
