import type { ReportedAgent } from '@agentflow/contracts';
import { normalizeName, type RawJson } from '@agentflow/domain';
import { textOf } from './attributes-of.js';
import { adapterOf } from './span-names.js';
import type { SpanNode, SpanTree } from './span-tree.js';

/**
 * Whose run the trace is. With the root: the name that the first agent's span gives, else the root's own, else the
 * service's. Without it the service is the better guess than whichever span happens to be there.
 */
export function agentOfTrace({ nodes, root }: SpanTree): ReportedAgent<RawJson> {
  const agent = nodes.find(({ role }) => role === 'agent');
  const first = nodes[0];
  const services = [root, agent, first].map(serviceOf);
  const candidates = [
    agent?.names.agent,
    root?.names.agent ?? nodes.find(({ names }) => names.agent !== undefined)?.names.agent,
    nameOf(root),
    nameOf(agent),
    ...services,
    nameOf(first),
  ];
  return { name: firstUsable(candidates), adapter: adapterOfTrace(nodes, root ?? agent) };
}

/** What the library is by whose spans the run is told; a root of a web server says nothing. */
function adapterOfTrace(nodes: readonly SpanNode[], leading: SpanNode | undefined): string {
  for (const node of leading === undefined ? nodes : [leading, ...nodes]) {
    const adapter = adapterOf(node.span);
    if (adapter !== 'otel') return adapter;
  }
  return 'otel';
}

function firstUsable(candidates: readonly (string | undefined)[]): string {
  for (const candidate of candidates) {
    const normal = candidate === undefined ? undefined : normalizeName(candidate);
    if (normal !== undefined && 'name' in normal) return normal.name;
  }
  return 'otel';
}

/** A span's own name without the operation in front of it. */
function nameOf(node: SpanNode | undefined): string | undefined {
  return node?.span.name.replace(/^(invoke_agent|invoke_workflow|create_agent|agent run:?) +/, '');
}

/** SDKs say `unknown_service` when nobody named it. */
function serviceOf(node: SpanNode | undefined): string | undefined {
  const name = node && textOf(node.span.resource, ['service.name']);
  return name?.startsWith('unknown_service') === true ? undefined : name;
}
