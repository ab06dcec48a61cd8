"""The client of language models: connections, consultations and failures of providers.

The only package that imports pydantic-ai and the providers' clients. It takes a second to import and needs the
`[llm]` extra, so `llm.connection_pool` imports it when the first model is used.
"""

from impossible_moments.llm.client.consultations import consult_model
from impossible_moments.llm.client.model_connections import ModelConnection
from impossible_moments.llm.client.model_factory import ModelFactory, create_model, open_model
from impossible_moments.llm.client.model_tools import describe_tool
from impossible_moments.llm.client.text_requests import request_text_answer

__all__ = [
    "ModelConnection",
    "ModelFactory",
    "consult_model",
    "create_model",
    "describe_tool",
    "open_model",
    "request_text_answer",
]
