import type {
  CheckpointTaken,
  IngestItem,
  MessageSent,
  RunEventType,
  StepStarted,
} from '@agentflow/contracts';
import { DomainError, RawJson, isTerminal } from '@agentflow/domain';
import type { AgentRow } from '../agents/agent-row.js';
import type { CheckpointRow } from '../checkpoints/checkpoint-row.js';
import type { MessageRow } from '../messages/message-row.js';
import { agreesWith } from '../reporting/same-content.js';
import type { RunAddition } from '../reporting/sql/add-to-run.js';
import { hasPresumedEnd } from '../runs/presumed-end.js';
import type { Amends } from './amends.js';
import { Ancestry } from './ancestry.js';
import { announceRun, finishRun, moveRun } from './run-state.js';
import type { HeldRun } from './sql/hold-runs.js';
import {
  finishStep,
  knownStep,
  startStep,
  unannouncedStep,
  updateStep,
  type ReportedStep,
  type StepWork,
} from './step-work.js';
import type { AncestorRow } from './step-tree.js';
import {
  completeCall,
  knownCall,
  startCall,
  unannouncedCall,
  type CallWork,
  type ReportedCall,
} from './tool-call-work.js';
import type { Effect } from './verdict.js';

type Message = Omit<MessageRow, 'created_at'>;
type Checkpoint = Omit<CheckpointRow, 'created_at'>;

/** What a batch needs to know of a run before it is folded in. */
export interface KnownOfRun {
  steps: readonly ReportedStep[];
  ancestors: readonly AncestorRow[];
  calls: readonly ReportedCall[];
  messages: readonly MessageRow[];
  checkpoints: readonly CheckpointRow[];
}

const STILL_RUNNING = {
  status: 'running',
  error: null,
  error_type: null,
  ended_at: null,
  ended_by_trace: false,
  last_move: 'resume',
};

/** One event more of the run's log; its number is given when all are known. */
export interface PendingEvent {
  type: RunEventType;
  entity_id: string;
  data?: object;
}

/**
 * One held run while a batch is folded into it: item by item, in the order of the batch, purely. What has to be written
 * is read from it afterwards.
 */
export class RunWork {
  readonly steps = new Map<string, StepWork>();
  readonly ancestors: Map<string, AncestorRow>;
  readonly calls = new Map<string, CallWork>();
  readonly newMessages: Message[] = [];
  readonly newCheckpoints: Checkpoint[] = [];
  readonly events: PendingEvent[] = [];
  /** Something was said about the run itself. */
  isChanged = false;
  private readonly messages: Map<string, Message>;
  private readonly checkpoints: Map<string, Checkpoint>;
  private readonly ancestry: Ancestry;
  private readonly before: HeldRun;
  private readonly isPresumed: boolean;
  private hasNews: boolean;

  constructor(
    readonly run: HeldRun,
    /** The run begins with this batch, announced or not. */
    readonly isNew: boolean,
    known: KnownOfRun,
    private readonly amends: Amends,
    /** Its reporter's end of it holds no more. */
    isReopened = false,
  ) {
    this.before = { ...run };
    const isWithdrawn = isReopened && run.ended_by_trace;
    this.isPresumed = hasPresumedEnd(run) || isWithdrawn;
    this.hasNews = isWithdrawn;
    if (this.isPresumed) Object.assign(run, STILL_RUNNING);
    if (isNew) {
      this.events.push(
        { type: 'run.created', entity_id: run.id },
        { type: 'run.started', entity_id: run.id },
      );
    }
    for (const step of known.steps) this.steps.set(step.id, knownStep(step));
    this.ancestors = new Map(known.ancestors.map((step) => [step.id, step]));
    this.ancestry = new Ancestry(
      [...known.ancestors, ...known.steps].map(({ id, parent_step_id }) => [id, parent_step_id]),
    );
    for (const call of known.calls) this.calls.set(call.id, knownCall(call));
    this.messages = new Map(known.messages.map((message) => [message.id, message]));
    this.checkpoints = new Map(known.checkpoints.map((checkpoint) => [checkpoint.id, checkpoint]));
  }

  /** What the run's agent was before this batch said otherwise. */
  get formerAgent(): string | undefined {
    return this.before.agent_id === this.run.agent_id ? undefined : this.before.agent_id;
  }

  /** Where the run stood before this batch; nothing when it stands there still. */
  get movedFrom(): HeldRun['status'] | undefined {
    const { before, run } = this;
    const hasTrueEnd = this.isReopened && isTerminal(run.status);
    return hasTrueEnd || before.status !== run.status ? before.status : undefined;
  }

  /** It goes to an end that it cannot go to from where it stood. */
  get hasToRunFirst(): boolean {
    const { status } = this.before;
    const ends = isTerminal(this.run.status) && this.run.status !== 'cancelled';
    return ends && (status === 'pending' || status === 'waiting_human');
  }

  /** Its end has come, or was none: steps and calls that are open may stand otherwise than they did. */
  get movesChildren(): boolean {
    const { before, run } = this;
    const isEnd = before.ended_at !== run.ended_at || before.status !== run.status;
    return this.isReopened || (run.ended_at !== null && isEnd);
  }

  private get isReopened(): boolean {
    return this.isPresumed && this.hasNews;
  }

  /** How much the run grew, beside what its steps and calls add to the totals. */
  get growth(): RunAddition {
    const { run, before } = this;
    return {
      steps: run.next_step_index - before.next_step_index,
      messages: this.newMessages.length,
      checkpoints: this.newCheckpoints.length,
      events: this.events.length,
    };
  }

  /**
   * Folds an item in, or throws why it cannot be. The agent is the one that an announcement names. Into a run whose end was
   * presumed it is folded as if that still ran.
   */
  take(item: IngestItem<RawJson>, agent?: AgentRow): Effect {
    const effect = this.fold(item, agent);
    this.hasNews ||= effect !== 'duplicate';
    return effect;
  }

  /** When all is folded in: an end that was presumed stays unless something new was said. */
  conclude(): void {
    if (this.isReopened) this.isChanged = true;
    else if (this.isPresumed) Object.assign(this.run, this.before);
  }

  private fold(item: IngestItem<RawJson>, agent?: AgentRow): Effect {
    switch (item.type) {
      case 'run.started':
        return this.takeAnnouncement(item, agent);
      case 'run.moved':
        return this.changed(moveRun(this.run, item));
      case 'run.finished':
        return this.changed(finishRun(this.run, item, this.amends));
      case 'step.started':
        return this.takeStepStart(item);
      case 'step.updated':
        return updateStep(this.step(item.id), item, this.amends);
      case 'step.finished':
        return finishStep(this.step(item.id), item, this.amends);
      case 'tool_call.started':
        if (this.mayTell(this.calls.get(item.id))) this.referTo(item.step_id);
        return startCall(this.call(item.id), item, this.amends);
      case 'tool_call.completed':
        return completeCall(this.call(item.id), item, this.amends);
      case 'message':
        return this.takeMessage(item);
      case 'checkpoint':
        return this.takeCheckpoint(item);
    }
  }

  private takeAnnouncement(
    item: Extract<IngestItem<RawJson>, { type: 'run.started' }>,
    agent?: AgentRow,
  ): Effect {
    const wasAnnounced = this.run.announced;
    const effect = this.changed(announceRun(this.run, item, agent, this.amends));
    if (!wasAnnounced && !this.isNew) this.events.push({ type: 'run.started', entity_id: this.run.id });
    return effect;
  }

  private takeStepStart(item: StepStarted<RawJson>): Effect {
    this.refuseCircle(item.id, item.parent_step_id);
    if (this.mayTell(this.steps.get(item.id))) this.referTo(item.parent_step_id);
    const step = this.step(item.id);
    const effect = startStep(step, item, this.amends);
    this.ancestry.hang(item.id, step.row.parent_step_id);
    return effect;
  }

  private changed(effect: Effect): Effect {
    this.isChanged ||= effect !== 'duplicate';
    return effect;
  }

  /** Takes note of a stored step that nothing in the batch names. */
  knowOf(step: AncestorRow): void {
    if (!this.steps.has(step.id)) this.ancestors.set(step.id, step);
  }

  /** The step that an item is about, heard of at the latest now. */
  private step(id: string): StepWork {
    const known = this.steps.get(id);
    if (known) return known;
    const heardOf = unannouncedStep(this.run.id, id, this.run.next_step_index++);
    this.steps.set(id, heardOf);
    return heardOf;
  }

  /** Whether a start may say something new; one that is refused must not leave behind what it refers to. */
  private mayTell(known: StepWork | CallWork | undefined): boolean {
    return this.amends !== false || !known?.row.announced;
  }

  /** Makes sure that a step which is referred to is there. */
  private referTo(id: string | undefined): void {
    if (id !== undefined && !this.ancestors.has(id)) this.step(id);
  }

  private call(id: string): CallWork {
    const known = this.calls.get(id);
    if (known) return known;
    const heardOf = unannouncedCall(this.run.id, this.run.agent_id, id);
    this.calls.set(id, heardOf);
    return heardOf;
  }

  private refuseCircle(id: string, parentId: string | undefined): void {
    if (parentId === undefined || !this.ancestry.isAbove(id, parentId)) return;
    throw new DomainError('invalid_request', {
      faults: [{ pointer: '/parent_step_id', detail: 'a step is not its own ancestor' }],
    });
  }

  private takeMessage(item: MessageSent<RawJson>): Effect {
    const { id, step_id, role, name, content, tool_call_id, extra, at } = item;
    const known = this.messages.get(id);
    if (known) return this.repeated(known, { step_id, role, name, content, tool_call_id, extra, at });
    this.referTo(step_id);
    const message: Message = {
      id,
      run_id: this.run.id,
      index: this.run.next_message_index++,
      role,
      at,
      ...{ step_id: step_id ?? null, name: name ?? null, content: content ?? null },
      ...{ tool_call_id: tool_call_id ?? null, extra: extra ?? null },
    };
    this.messages.set(id, message);
    this.newMessages.push(message);
    return 'created';
  }

  private takeCheckpoint(item: CheckpointTaken<RawJson>): Effect {
    const { id, step_id, label, state, at } = item;
    const known = this.checkpoints.get(id);
    if (known) return this.repeated(known, { step_id, label, state, at });
    this.referTo(step_id);
    const checkpoint: Checkpoint = {
      id,
      run_id: this.run.id,
      index: this.run.next_checkpoint_index++,
      label: label ?? null,
      step_id: step_id ?? null,
      at,
      state,
      state_bytes: Buffer.byteLength(state.text),
    };
    this.checkpoints.set(id, checkpoint);
    this.newCheckpoints.push(checkpoint);
    return 'created';
  }

  /** What is written once: the same again is no news, and of another reporter's mapping the first word stands. */
  private repeated(known: object, stated: object): Effect {
    if (!this.amends && !agreesWith(known, stated)) throw new DomainError('id_conflict');
    return 'duplicate';
  }
}
