from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

import telemetry
from search_agent import ask

OpenAIAgentsInstrumentor().instrument(tracer_provider=telemetry.provider)

ask()
