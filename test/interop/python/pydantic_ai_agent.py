import telemetry  # noqa: F401  it sets OpenTelemetry up
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.usage import RequestUsage

Agent.instrument_all()

REPLIES = iter(
    [
        ModelResponse(
            parts=[
                ToolCallPart("search", {"query": "cheese"}, tool_call_id="call_1"),
                ToolCallPart("boom", {"query": "glass"}, tool_call_id="call_2"),
            ],
            usage=RequestUsage(input_tokens=11, output_tokens=7),
        ),
        ModelResponse(
            parts=[TextPart("There is cheese.")], usage=RequestUsage(input_tokens=20, output_tokens=5)
        ),
    ]
)

agent = Agent(
    FunctionModel(lambda messages, info: next(REPLIES), model_name="fake-small"),
    name="searcher",
    instructions="Search.",
)


@agent.tool_plain
def search(query: str) -> str:
    return f"found {query}"


@agent.tool_plain
def boom(query: str) -> str:
    raise ModelRetry("the tool broke")


print(agent.run_sync("Is there cheese?", conversation_id="thread-1").output)
