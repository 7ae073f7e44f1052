import { AIMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { fakeModel } from '@langchain/core/testing';
import { tool, type StructuredToolInterface } from '@langchain/core/tools';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph, interrupt } from '@langchain/langgraph';

type State = typeof MessagesAnnotation.State;

/** What a person says about a call that the agent wants to make: other arguments, or none to forbid it. */
export interface Permission {
  arguments?: Record<string, unknown>;
}

/**
 * An agent that asks a person before it spends money, as LangGraph's guides have it: the node of the tool interrupts the
 * graph with the call that it is about to make, and goes on with the arguments that come back.
 */
export function bookingGraph() {
  const model = bookingModel();
  const agent = async ({ messages }: State, config: RunnableConfig): Promise<Partial<State>> => {
    return { messages: [(await model.invoke(messages, config)) as BaseMessage] };
  };
  const book = async ({ messages }: State, config: RunnableConfig): Promise<Partial<State>> => {
    const call = (messages.at(-1) as AIMessage).tool_calls?.[0];
    if (!call) return {};
    const permission = interrupt({ tool: call.name, arguments: call.args }) as Permission;
    if (!permission.arguments) {
      const content = 'The traveller does not want that.';
      return { messages: [new ToolMessage({ tool_call_id: call.id ?? '', name: call.name, content })] };
    }
    const allowed = { ...call, args: permission.arguments, type: 'tool_call' as const };
    return { messages: [(await bookFlight.invoke(allowed, config)) as ToolMessage] };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', agent)
    .addNode('book', book)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', ({ messages }) => {
      const last = messages.at(-1);
      return AIMessage.isInstance(last) && last.tool_calls?.length ? 'book' : END;
    })
    .addEdge('book', 'agent')
    .compile({ name: 'booking', checkpointer: new MemorySaver() });
}

const bookFlight: StructuredToolInterface = tool(
  async ({ flight, seat }: { flight: string; seat: string }) => ({ flight, seat, ticket: 'LIS-4711' }),
  {
    name: 'book_flight',
    description: 'Books and pays a flight',
    schema: {
      type: 'object' as const,
      properties: { flight: { type: 'string' as const }, seat: { type: 'string' as const } },
      required: ['flight', 'seat'],
    },
  },
);

function bookingModel() {
  const asks = new AIMessage({
    content: '',
    tool_calls: [{ id: 'call_1', name: 'book_flight', args: { flight: 'TP 535', seat: 'middle' } }],
  });
  return fakeModel()
    .respond(asks)
    .respond(new AIMessage({ content: 'Booked: ticket LIS-4711.' }));
}
