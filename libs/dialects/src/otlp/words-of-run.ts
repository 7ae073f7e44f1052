import { readPayload } from '@agentflow/domain';
import { textOf } from './attributes-of.js';
import { isList, objectOf } from './payload-of.js';
import { pendingCallsOf } from './pending-calls.js';
import { metadataMembersOf } from './span-role.js';
import type { SpanNode, SpanTree } from './span-tree.js';
import type { AttributeValue } from './span.js';

const TAGS = ['langfuse.trace.tags', 'tag.tags', 'ai.telemetry.metadata.tags'];
const LONGEST_TAG = 128;
const MOST_TAGS = 64;
const NONE: readonly string[] = [];

/** The conversation that the run belongs to, by the root or the first span that says so. */
export function sessionOf({ nodes, root }: SpanTree): string | undefined {
  for (const node of root === undefined ? nodes : [root, ...nodes]) {
    const thread = metadataMembersOf(node.span.attributes)?.get('thread_id')?.parse();
    const session = node.names.session ?? (typeof thread === 'string' && thread !== '' ? thread : undefined);
    if (session !== undefined) return session;
  }
  return undefined;
}

/** The tags of all spans, each once, as many as a run may have. */
export function tagsOf(tree: SpanTree): string[] {
  return allTagsOf(tree)
    .filter((tag) => tag.length <= LONGEST_TAG)
    .slice(0, MOST_TAGS);
}

function allTagsOf({ nodes }: SpanTree): string[] {
  const tags = new Set<string>();
  for (const { span } of nodes) {
    for (const name of TAGS) for (const tag of textsOf(span.attributes.get(name))) tags.add(tag);
  }
  tags.delete('');
  return [...tags];
}

function textsOf(value: AttributeValue | undefined): readonly string[] {
  if (isList(value)) return value.filter((item) => typeof item === 'string');
  if (typeof value !== 'string') return NONE;
  const reading = value.startsWith('[') ? readPayload(value) : undefined;
  const parsed: unknown = reading?.ok === true ? reading.value.parse() : [value];
  return Array.isArray(parsed) ? parsed.filter((item) => typeof item === 'string') : [];
}

/** What else is known about the run, member by member, as JSON texts. */
export function metadataMembersOfRun(tree: SpanTree, root: SpanNode): [string, string][] {
  const { span } = root;
  const { scope, resource } = span;
  const user = [root, ...tree.nodes].find(({ names }) => names.user !== undefined)?.names.user;
  const tags = allTagsOf(tree);
  const members: [string, string | undefined][] = [
    ['trace_id', quoted(tree.traceId)],
    ['root_span_id', quoted(span.spanId)],
    ['user_id', quoted(user)],
    ['agent_version', quoted(tree.nodes.find(({ names }) => names.agentVersion)?.names.agentVersion)],
    ['service_name', quoted(textOf(resource, ['service.name']))],
    ['service_version', quoted(textOf(resource, ['service.version']))],
    ['environment', quoted(textOf(span.attributes, ['langfuse.environment']) ?? environmentOf(root))],
    [
      'scope',
      objectOf([
        ['name', quoted(scope.name)],
        ['version', quoted(scope.version)],
      ]),
    ],
    ['tags', tags.length === tagsOf(tree).length ? undefined : JSON.stringify(tags)],
    ['pending_tool_calls', pendingCallsOf(tree)],
    ...(root.isStep || root.role === 'tool' ? [] : root.rest),
  ];
  return members.filter(
    (member): member is [string, string] => member[1] !== undefined && member[1] !== '{}',
  );
}

function environmentOf({ span }: SpanNode): string | undefined {
  return textOf(span.resource, ['deployment.environment.name', 'deployment.environment']);
}

function quoted(text: string | undefined): string | undefined {
  return text === undefined || text === '' ? undefined : JSON.stringify(text);
}
