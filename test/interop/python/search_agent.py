"""An agent of the OpenAI Agents SDK, with a model of its own instead of OpenAI's."""

import json

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText


@function_tool
def search(query: str) -> str:
    """Searches."""
    return f"found {query}"


@function_tool
def boom(query: str) -> str:
    """Breaks."""
    raise ValueError("the tool broke")


def call(call_id, name, query):
    arguments = json.dumps({"query": query})
    return ResponseFunctionToolCall(call_id=call_id, name=name, arguments=arguments, type="function_call")


def reply(output, tokens_in, tokens_out):
    usage = Usage(
        requests=1, input_tokens=tokens_in, output_tokens=tokens_out, total_tokens=tokens_in + tokens_out
    )
    return ModelResponse(output=output, usage=usage, response_id=None)


ANSWER = ResponseOutputMessage(
    id="item_1",
    type="message",
    role="assistant",
    status="completed",
    content=[ResponseOutputText(type="output_text", text="There is cheese.", annotations=[])],
)
REPLIES = iter(
    [
        reply([call("call_1", "search", "cheese"), call("call_2", "boom", "glass")], 11, 7),
        reply([ANSWER], 20, 5),
    ]
)


class FakeModel(Model):
    async def get_response(self, *args, **kwargs):
        return next(REPLIES)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def ask():
    agent = Agent(name="searcher", instructions="Search.", model=FakeModel(), tools=[search, boom])
    config = RunConfig(workflow_name="cheese", group_id="thread-1")
    print(Runner.run_sync(agent, "Is there cheese?", run_config=config).final_output)
