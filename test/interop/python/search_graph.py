"""A LangGraph agent, as its documentation builds one, that calls two tools at once and answers."""

from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
def search(query: str) -> str:
    """Searches."""
    return f"found {query}"


@tool
def boom(query: str) -> str:
    """Breaks."""
    raise ValueError("the tool broke")


def used(tokens_in, tokens_out):
    total = tokens_in + tokens_out
    return {
        "usage_metadata": {"input_tokens": tokens_in, "output_tokens": tokens_out, "total_tokens": total},
        "response_metadata": {"model_name": "fake-small"},
    }


MODEL = GenericFakeChatModel(
    messages=iter(
        [
            AIMessage(
                content="",
                tool_calls=[
                    {"id": "call_1", "name": "search", "args": {"query": "cheese"}},
                    {"id": "call_2", "name": "boom", "args": {"query": "glass"}},
                ],
                **used(11, 7),
            ),
            AIMessage(content="There is cheese.", **used(20, 5)),
        ]
    )
)


def agent(state):
    return {"messages": [MODEL.invoke(state["messages"])]}


def ask():
    graph = (
        StateGraph(MessagesState)
        .add_node("agent", agent)
        .add_node("tools", ToolNode([search, boom], handle_tool_errors=True))
        .add_edge(START, "agent")
        .add_conditional_edges("agent", tools_condition)
        .add_edge("tools", "agent")
        .compile(name="searcher")
    )
    asked = {"messages": [HumanMessage("Is there cheese?")]}
    answer = graph.invoke(asked, {"configurable": {"thread_id": "thread-1"}})
    print(answer["messages"][-1].content)
