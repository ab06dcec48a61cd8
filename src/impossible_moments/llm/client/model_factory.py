"""Creation of models from their references. Their clients do not retry; `call_pacing` does."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AsyncExitStack
from inspect import signature
from typing import Any, Final, TypeAlias

import httpx2
from pydantic_ai.exceptions import UserError
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from impossible_moments.errors import ConfigurationError
from impossible_moments.llm.api_keys import ApiKeys, get_key_variable
from impossible_moments.llm.client.bounded_transport import create_http_client
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import LOCAL, ModelReference
from impossible_moments.llm.model_requirements import require_key

ModelFactory: TypeAlias = Callable[[ModelReference, ApiKeys], Model]
"""Creates the model of a reference."""
OWN_CLIENTS: Final = frozenset({"openai", LOCAL, "anthropic"})
"""Providers whose clients are created here and must be closed."""
_NO_KEY_NEEDED: Final = "none"
_TIMEOUT: Final = httpx2.Timeout(None, connect=10.0)
"""Only connecting is timed here. The call is timed by `call_pacing`."""


def create_model(reference: ModelReference, keys: ApiKeys) -> Model:
    """Create the model of a reference. Raise `ModelFailure` if a package or a key is missing."""
    try:
        match reference.provider:
            case "openai" | "local":
                return _create_openai_model(reference, keys)
            case "anthropic":
                return _create_anthropic_model(reference, keys)
            case _:
                return _create_inferred_model(reference, keys)
    except ImportError as problem:
        raise ModelFailure(FailureKind.NOT_INSTALLED, str(reference), str(problem)) from None


async def open_model(model: Model, reference: ModelReference, closing: AsyncExitStack) -> None:
    """Open the connection of a model. `closing` closes it and its client."""
    await closing.enter_async_context(model)
    client = getattr(model, "client", None) if reference.provider in OWN_CLIENTS else None
    if client is not None:  # pydantic-ai closes only the clients that it created
        closing.push_async_callback(client.close)


def _create_openai_model(reference: ModelReference, keys: ApiKeys) -> Model:
    # every compatible server supports chat completions, so a reference means the same endpoint everywhere
    from openai import AsyncOpenAI  # noqa: PLC0415 - takes a second to import
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.profiles.openai import OpenAIModelProfile  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    key = keys.get_key(reference.provider) if reference.provider == LOCAL else require_key(reference, keys)
    client = AsyncOpenAI(
        api_key=key or _NO_KEY_NEEDED,
        base_url=reference.base_url or None,
        max_retries=0,
        timeout=_TIMEOUT,
        http_client=create_http_client(_TIMEOUT),
    )
    # Ollama and others read only the older name of the token limit and ignore the newer one
    profile = OpenAIModelProfile(openai_chat_supports_max_completion_tokens=reference.provider != LOCAL)
    return OpenAIChatModel(reference.name, provider=OpenAIProvider(openai_client=client), profile=profile)


def _create_anthropic_model(reference: ModelReference, keys: ApiKeys) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415
    from anthropic.types.beta import BetaUsage  # noqa: PLC0415
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    client = AsyncAnthropic(
        api_key=require_key(reference, keys),
        base_url=reference.base_url or None,
        max_retries=0,
        timeout=_TIMEOUT,
        http_client=create_http_client(_TIMEOUT),
    )

    class UsageTolerantAnthropicModel(AnthropicModel):
        """An Anthropic model that accepts responses without usage, as some compatible servers send."""

        def _process_response(self, response: Any, *given: Any, **named: Any) -> ModelResponse:  # noqa: ANN401 - passed on unchanged
            if getattr(response, "usage", None) is None:
                response.usage = BetaUsage(input_tokens=0, output_tokens=0)
            return super()._process_response(response, *given, **named)

    return UsageTolerantAnthropicModel(reference.name, provider=AnthropicProvider(anthropic_client=client))


def _create_inferred_model(reference: ModelReference, keys: ApiKeys) -> Model:
    """Create a model of any other provider that pydantic-ai knows, with the key found here."""

    def create_provider(name: str) -> Provider[Any]:
        given: dict[str, Any] = {}
        if key := keys.get_key(reference.provider):
            given["api_key"] = key
        if reference.base_url:
            given["base_url"] = reference.base_url
        provider = infer_provider_class(name)
        if "http_client" in signature(provider).parameters:
            given["http_client"] = create_http_client(_TIMEOUT)
        made: Provider[Any] = provider(**given)
        return made

    try:
        return infer_model(f"{reference.provider}:{reference.name}", provider_factory=create_provider)
    except (UserError, ValueError, TypeError) as problem:
        if keys.get_key(reference.provider) is None and "api_key" in str(problem).lower():
            raise ModelFailure(
                FailureKind.NO_KEY, str(reference), get_key_variable(reference.provider)
            ) from None
        raise ConfigurationError(
            f"Cannot use `{reference}`: {keys.remove_keys(str(problem)).splitlines()[0]}"
        ) from None
