import type { RawJson } from '@agentflow/domain';
import { callIdOf } from './call-id-of.js';
import { nearestAbove, type SpanNode, type SpanTree } from './span-tree.js';
import { toolNameOf } from './tool-name-of.js';

/** The step of a model that asked for a call, and what it asked. */
export interface Asker {
  node: SpanNode;
  callId: string;
  arguments?: RawJson;
}

/** What is known of the call that a tool's span answers. */
export interface AnsweredCall {
  callId?: string;
  asker?: Asker;
}

/** Which calls were asked for, and by whom. */
export class AskedCalls {
  private readonly byCallId = new Map<string, Asker[]>();
  private readonly unanswered = new Map<string, Set<Asker>>();
  private readonly answers = new Map<SpanNode, AnsweredCall>();
  private readonly agents: ReadonlyMap<SpanNode, SpanNode | undefined>;

  constructor(tree: SpanTree) {
    this.agents = nearestAbove(tree.byId, ({ role }) => role === 'agent');
    for (const node of tree.nodes) if (node.role === 'llm') this.addAllOf(node);
    const tools = tree.nodes.filter(({ role }) => role === 'tool');
    for (const tool of tools) this.answerById(tool);
    for (const tool of tools) if (!this.answers.has(tool)) this.answerByName(tool);
  }

  /**
   * The call that a tool's span answers. By the id that the model gave it: the latest step that asked for this id before
   * the tool began; providers use an id again, so one of the same agent comes before others. Where the span says no id,
   * it is the only call of that name that was asked for before and that nothing else answers, if there is such a one.
   */
  answeredBy(tool: SpanNode): AnsweredCall {
    return this.answers.get(tool) ?? {};
  }

  private addAllOf(node: SpanNode): void {
    for (const { id: callId, name, arguments: args } of node.conversation.asked) {
      if (callId === undefined) continue;
      const asker = { node, callId, ...(args === undefined ? {} : { arguments: args }) };
      const sameId = this.byCallId.get(callId);
      if (sameId === undefined) this.byCallId.set(callId, [asker]);
      else sameId.push(asker);
      const sameName = this.unanswered.get(name);
      if (sameName === undefined) this.unanswered.set(name, new Set([asker]));
      else sameName.add(asker);
    }
  }

  private answerById(tool: SpanNode): void {
    const callId = callIdOf(tool);
    if (callId === undefined) return;
    const before = this.byCallId.get(callId)?.filter(({ node }) => node.start <= tool.start) ?? [];
    const ofSameAgent = before.filter(({ node }) => this.agents.get(node) === this.agents.get(tool));
    const asker = ofSameAgent.at(-1) ?? before.at(-1);
    this.answers.set(tool, { callId, ...(asker === undefined ? {} : { asker }) });
    if (asker !== undefined) this.unanswered.get(toolNameOf(tool))?.delete(asker);
  }

  private answerByName(tool: SpanNode): void {
    const unanswered = this.unanswered.get(toolNameOf(tool));
    let only: Asker | undefined;
    // Those that ask stand in the order of their start, so the first that is too late ends the search.
    for (const asker of unanswered ?? []) {
      if (asker.node.start > tool.start) break;
      if (only !== undefined) return;
      only = asker;
    }
    if (only === undefined) return;
    unanswered?.delete(only);
    this.answers.set(tool, { callId: only.callId, asker: only });
  }
}
