from openinference.instrumentation.openai_agents import OpenAIAgentsInstrumentor

import telemetry
from search_agent import ask, responses_model

OpenAIAgentsInstrumentor().instrument(tracer_provider=telemetry.provider)

ask(responses_model())
