import type { RawJson } from '@agentflow/domain';
import { nearestAbove, type SpanNode, type SpanTree } from './span-tree.js';

/** The step of a model that asked for a call, and what it asked. */
export interface Asker {
  node: SpanNode;
  arguments?: RawJson;
}

/** Which step asked for a call. */
export class Askers {
  private readonly byCallId = new Map<string, Asker[]>();
  private readonly agents: ReadonlyMap<SpanNode, SpanNode | undefined>;

  constructor(tree: SpanTree) {
    this.agents = nearestAbove(tree.byId, ({ role }) => role === 'agent');
    for (const node of tree.nodes) {
      if (node.role !== 'llm') continue;
      for (const { id, arguments: args } of node.conversation.asked) {
        if (id !== undefined) this.add(id, { node, ...(args === undefined ? {} : { arguments: args }) });
      }
    }
  }

  /**
   * The latest step that asked for this id before the tool began; providers use an id again, so one of the same agent
   * comes before others.
   */
  ofCall(call: SpanNode, callId: string | undefined): Asker | undefined {
    const asked = callId === undefined ? undefined : this.byCallId.get(callId);
    const before = asked?.filter(({ node }) => node.start <= call.start) ?? [];
    const ofSameAgent = before.filter(({ node }) => this.agents.get(node) === this.agents.get(call));
    return ofSameAgent.at(-1) ?? before.at(-1);
  }

  private add(id: string, asker: Asker): void {
    const known = this.byCallId.get(id);
    if (known === undefined) this.byCallId.set(id, [asker]);
    else known.push(asker);
  }
}
