from openinference.instrumentation.langchain import LangChainInstrumentor

import telemetry
from search_graph import ask

LangChainInstrumentor().instrument(tracer_provider=telemetry.provider)

ask()
