"""An agent of the OpenAI Agents SDK, with a model of its own or with OpenAI's, to which a function answers."""

import json

import httpx
from agents import (
    Agent,
    Model,
    ModelResponse,
    OpenAIResponsesModel,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from openai import AsyncOpenAI
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


class OwnModel(Model):
    async def get_response(self, *args, **kwargs):
        return next(REPLIES)

    def stream_response(self, *args, **kwargs):
        raise NotImplementedError


def as_response(request):
    """A reply in the form of OpenAI's Responses API."""
    reply = next(REPLIES)
    usage = {
        "input_tokens": reply.usage.input_tokens,
        "output_tokens": reply.usage.output_tokens,
        "total_tokens": reply.usage.total_tokens,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 0},
    }
    members = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-4.1-mini",
        "status": "completed",
        "output": [item.model_dump() for item in reply.output],
        "usage": usage,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    return httpx.Response(200, json=members)


def responses_model():
    client = httpx.AsyncClient(transport=httpx.MockTransport(as_response))
    return OpenAIResponsesModel("gpt-4.1-mini", AsyncOpenAI(api_key="none", http_client=client))


def ask(model):
    agent = Agent(name="searcher", instructions="Search.", model=model, tools=[search, boom])
    config = RunConfig(workflow_name="cheese", group_id="thread-1")
    print(Runner.run_sync(agent, "Is there cheese?", run_config=config).final_output)
