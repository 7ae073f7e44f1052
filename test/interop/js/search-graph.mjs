import { AIMessage, HumanMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';

const schema = z.object({ query: z.string() });
const search = tool(({ query }) => `found ${query}`, { name: 'search', description: 'Searches.', schema });
const boom = tool(() => Promise.reject(new Error('the tool broke')), {
  name: 'boom',
  description: 'Breaks.',
  schema,
});

const used = (input_tokens, output_tokens) => ({
  usage_metadata: { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens },
  response_metadata: { model_name: 'fake-small' },
});

const model = fakeModel()
  .respond(
    new AIMessage({
      content: '',
      tool_calls: [
        { id: 'call_1', name: 'search', args: { query: 'cheese' } },
        { id: 'call_2', name: 'boom', args: { query: 'glass' } },
      ],
      ...used(11, 7),
    }),
  )
  .respond(new AIMessage({ content: 'There is cheese.', ...used(20, 5) }));

/** A LangGraph agent, as its documentation builds one, that calls two tools at once and answers. */
export async function ask() {
  const bound = model.bindTools([search, boom]);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await bound.invoke(messages)] }))
    .addNode('tools', new ToolNode([search, boom]))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', toolsCondition)
    .addEdge('tools', 'agent')
    .compile({ name: 'searcher' });
  const { messages } = await graph.invoke(
    { messages: [new HumanMessage('Is there cheese?')] },
    { configurable: { thread_id: 'thread-1' } },
  );
  console.log(messages.at(-1).text);
}
