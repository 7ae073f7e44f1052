import type {
  AgentFlow,
  MessageParams,
  Run,
  StartRunParams,
  Step,
  StepParams,
  ToolCall,
} from '@agentflow/sdk';

/** How a step ended, and when. */
export interface StepEnd {
  /** Else succeeded, or failed with an error. */
  status?: 'skipped';
  output?: unknown;
  error?: string;
  error_type?: string;
  tokens_in?: number;
  tokens_out?: number;
  token_details?: Record<string, unknown>;
  model?: string;
  provider?: string;
}

/** A tool at work, as a step with a call in it. */
export interface ToolUse {
  id: string;
  parentId: string | undefined;
  name: string;
  input: unknown;
  /** The model's own id of the call, which the repeat of a failed attempt has again. */
  providerCallId: string | undefined;
}

/**
 * The report of one run. Its methods return at once: what they report is sent in their order, each with the time
 * of its call, so that the agent does not wait for the network. A report that fails is told to `onError`, and what
 * needed it is left out.
 */
export class RunReport {
  #run: Run | undefined;
  readonly #steps = new Map<string, Step>();
  readonly #calls = new Map<string, ToolCall>();
  readonly #failedAttempts = new Map<string, string[]>();
  #sent: Promise<void>;

  constructor(
    client: AgentFlow,
    params: StartRunParams,
    private readonly onError: (error: unknown) => void,
  ) {
    const started = client.runs.start({ started_at: now(), ...params });
    this.#sent = started.then((run) => void (this.#run = run)).catch(onError);
  }

  /** Resolves when all that was reported so far has been sent. */
  sent(): Promise<void> {
    return this.#sent;
  }

  startStep(params: StepParams & { id: string }): void {
    const started_at = now();
    this.#send(async (run) => void this.#steps.set(params.id, await run.step({ ...params, started_at })));
  }

  endStep(id: string, end: StepEnd): void {
    const ended_at = now();
    const status = end.status ?? (end.error === undefined ? 'succeeded' : 'failed');
    this.#send(() => this.#steps.get(id)?.complete({ ...end, status, ended_at }));
  }

  /** An attempt that follows failed ones of the same call says so. */
  startTool({ id, parentId, name, input, providerCallId }: ToolUse): void {
    const failed = this.#attemptsAt(providerCallId);
    const metadata = failed.length === 0 ? {} : { attempt: failed.length + 1, retry_of: failed.at(-1) };
    const started_at = now();
    this.startStep({ id, node: name, kind: 'tool', parent_step_id: parentId, input, metadata });
    this.#send(async (run) => {
      const call = {
        name,
        step_id: id,
        provider_call_id: providerCallId,
        arguments: input,
        metadata,
        started_at,
      };
      this.#calls.set(id, await run.toolCall(call));
    });
  }

  endTool(
    id: string,
    providerCallId: string | undefined,
    end: Pick<StepEnd, 'output' | 'error' | 'error_type'>,
  ): void {
    const ended_at = now();
    const { output: result, ...failure } = end;
    if (end.error !== undefined) this.#attemptsAt(providerCallId).push(id);
    const status = end.error === undefined ? 'succeeded' : 'failed';
    this.#send(() => this.#calls.get(id)?.complete({ ...failure, result, status, ended_at }));
    this.endStep(id, end);
  }

  message(params: MessageParams): void {
    this.#send((run) => run.message(params));
  }

  checkpoint(label: string, state: unknown): void {
    this.#send((run) => run.checkpoint({ label, state }));
  }

  /** The run waits for a person, who decides about each of these. */
  wait(payloads: readonly unknown[]): void {
    this.#send((run) => run.wait({ approvals: payloads.map((payload) => ({ kind: 'tool', payload })) }));
  }

  /** What is not sent yet is left out, and so is what comes. */
  abandon(): void {
    this.#run = undefined;
  }

  succeed(output: unknown): void {
    this.#send((run) => run.succeed({ output }));
  }

  fail(failure: { error?: string; error_type?: string }): void {
    this.#send((run) => run.fail(failure));
  }

  #send(report: (run: Run) => PromiseLike<unknown> | undefined): void {
    this.#sent = this.#sent
      .then(async () => {
        if (this.#run) await report(this.#run);
      })
      .catch(this.onError);
  }

  #attemptsAt(providerCallId: string | undefined): string[] {
    if (providerCallId === undefined) return [];
    const attempts = this.#failedAttempts.get(providerCallId) ?? [];
    this.#failedAttempts.set(providerCallId, attempts);
    return attempts;
  }
}

function now(): string {
  return new Date().toISOString();
}
