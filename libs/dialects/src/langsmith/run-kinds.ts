import { agentNameOf } from '../records/fitting.js';
import { type LangsmithRun, metadataText } from './run-state.js';
import { textOf, within } from '../records/json-reading.js';

/** What LangChain and LangGraph run between the things that people wrote; `ChannelWrite<a,b>` is called by its beginning. */
const PLUMBING = new Set([
  '__end__',
  '__start__',
  'Branch',
  'ChannelRead',
  'ChannelWrite',
  'LangGraphUpdateState',
  'RunnableAssign',
  'RunnableBinding',
  'RunnableBranch',
  'RunnableCallable',
  'RunnableEach',
  'RunnableLambda',
  'RunnableMap',
  'RunnableParallel',
  'RunnablePassthrough',
  'RunnablePick',
  'RunnableSequence',
]);
const HIDDEN = 'langsmith:hidden';

/** Whether a step is plumbing, which pages may fold. Models and retrievers never are. */
export function isInternal({ name = '', runType, tags }: LangsmithRun): boolean {
  if (tags.includes(HIDDEN)) return true;
  return runType === 'chain' && PLUMBING.has(name.split(/[<(]/, 1)[0] ?? '');
}

const WORD = /^[a-z0-9._-]{1,64}$/;

/** The kind of step: theirs, where it is a word. */
export function kindOf({ runType = '' }: LangsmithRun): string {
  return WORD.test(runType) ? runType : 'chain';
}

/** LangGraph marks the runs of its own nodes; what runs inside of one names the same node. */
const NODE_RUN = /^graph:step:\d+$/;

export function nodeOf(run: LangsmithRun): string {
  const isNode = run.tags.some((tag) => NODE_RUN.test(tag));
  return (isNode ? metadataText(run, ['langgraph_node']) : undefined) ?? run.name ?? kindOf(run);
}

/** The library by what a run says of its integration, then by where it ran. */
export function adapterOf(run: LangsmithRun): string {
  const integration = metadataText(run, ['ls_integration']) ?? '';
  if (integration === 'langgraph' || run.metadata.has('langgraph_node')) return 'langgraph';
  const library = textOf(within(run.extra.get('runtime'), 'library')) ?? '';
  return [integration, library].some((name) => name.startsWith('langchain')) ? 'langchain' : 'langsmith';
}

const ADAPTERS = ['langgraph', 'langchain', 'langsmith'] as const;

/** Whose run it is: what the root says, or the best guess from what is known of the trace. */
export function agentOf(
  root: LangsmithRun | undefined,
  runs: readonly LangsmithRun[],
): { name: string; adapter: string } {
  const speakers = root?.name === undefined ? runs : [root];
  const adapters = new Set(speakers.map(adapterOf));
  const adapter = ADAPTERS.find((one) => adapters.has(one)) ?? 'langsmith';
  const said = runs.map((run) => metadataText(run, ['lc_agent_name'])).find((name) => name !== undefined);
  return { name: agentNameOf([root?.name, said, projectOf(root, runs), adapter]), adapter };
}

/** Their project, by the root or else by whichever run names one first. */
export function projectOf(root: LangsmithRun | undefined, runs: readonly LangsmithRun[]): string | undefined {
  const names = [root, ...runs].map((run) => textOf(run?.members.get('session_name')));
  return names.find((name) => name !== undefined);
}
