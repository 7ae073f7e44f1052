import os

from agents import set_trace_processors
from agents.tracing.processors import BackendSpanExporter, BatchTraceProcessor

from search_agent import OwnModel, ask, responses_model

exporter = BackendSpanExporter(
    api_key=os.environ["AGENTFLOW_KEY"],
    endpoint=f"{os.environ['AGENTFLOW_URL']}/openai/v1/traces/ingest",
)
set_trace_processors([BatchTraceProcessor(exporter)])

ask(responses_model() if os.environ.get("MODEL") == "responses" else OwnModel())
