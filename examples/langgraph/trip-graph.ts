import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { fakeModel } from '@langchain/core/testing';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';

type State = typeof MessagesAnnotation.State;

/** What a tool does, by its name, before it answers. */
export type Work = (tool: string) => Promise<void>;

const MAX_ATTEMPTS = 2;

/**
 * An agent as LangGraph's guides build them: a model node, a tool node, and an edge back to the model. The model is
 * a fake that says what it was told to; the tools do some work before they answer, and the flights fail at first.
 */
export function tripGraph(work: Work) {
  const tools = [weather(work), flights(work)];
  const model = tripModel().bindTools(tools);

  const agent = async ({ messages }: State, config: RunnableConfig): Promise<Partial<State>> => {
    return { messages: [(await model.invoke(messages, config)) as BaseMessage] };
  };
  const toolNode = async (state: State, config: RunnableConfig): Promise<Partial<State>> => {
    return { messages: await Promise.all(callsIn(state).map((call) => callTool(tools, call, config))) };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addNode('tools', toolNode)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', (state) => (callsIn(state).length > 0 ? 'tools' : END))
    .addEdge('tools', 'agent')
    .compile({ name: 'trip' });
}

type Call = NonNullable<AIMessage['tool_calls']>[number];

function callsIn({ messages }: State): Call[] {
  const last = messages.at(-1);
  return AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
}

/** Calls a tool, and once more when it fails: the agent reads the second failure as an answer. */
async function callTool(
  tools: StructuredToolInterface[],
  call: Call,
  config: RunnableConfig,
): Promise<ToolMessage> {
  const called = tools.find(({ name }) => name === call.name) as StructuredToolInterface;
  for (let attempt = 1; ; attempt++) {
    try {
      return (await called.invoke({ ...call, type: 'tool_call' }, config)) as ToolMessage;
    } catch (error) {
      if (attempt < MAX_ATTEMPTS) continue;
      return new ToolMessage({
        tool_call_id: call.id ?? '',
        name: call.name,
        status: 'error',
        content: String(error),
      });
    }
  }
}

function tripModel() {
  const asks = new AIMessage({
    content: '',
    tool_calls: [
      { id: 'call_1', name: 'weather', args: { city: 'Lisbon', day: 'Saturday' } },
      { id: 'call_2', name: 'flights', args: { from: 'BER', to: 'LIS' } },
    ],
    usage_metadata: {
      input_tokens: 412,
      output_tokens: 58,
      total_tokens: 470,
      input_token_details: { cache_read: 256 },
    },
    response_metadata: { model_name: 'fake-small', model_provider: 'fake' },
  });
  const answers = new AIMessage({
    content: 'Yes: Saturday is sunny at 24 °C, and TP 535 leaves at 06:25 for 119 EUR.',
    usage_metadata: {
      input_tokens: 655,
      output_tokens: 37,
      total_tokens: 692,
      input_token_details: { cache_read: 412 },
      output_token_details: { reasoning: 12 },
    },
    response_metadata: { model_name: 'fake-small', model_provider: 'fake' },
  });
  return fakeModel().respond(asks).respond(answers);
}

function weather(work: Work) {
  return tool(
    async ({ city }: { city: string }) => {
      await work('weather');
      return { city, sky: 'sunny', celsius: 24 };
    },
    { name: 'weather', description: 'The weather in a city', schema: objectOf('city', 'day') },
  );
}

function flights(work: Work) {
  let calls = 0;
  return tool(
    async ({ from, to }: { from: string; to: string }) => {
      await work('flights');
      if (++calls === 1)
        throw Object.assign(new Error('the airline did not answer'), { name: 'TimeoutError' });
      return [{ flight: 'TP 535', from, to, leaves: '06:25', eur: 119 }];
    },
    { name: 'flights', description: 'Flights between two airports', schema: objectOf('from', 'to') },
  );
}

function objectOf(...names: string[]) {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  return { type: 'object' as const, properties, required: names };
}
