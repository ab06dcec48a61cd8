"""Models made from their references, with clients that retry nothing by themselves: pacing is decided in one place."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any, Final

from pydantic_ai.exceptions import UserError
from pydantic_ai.models import Model, infer_model
from pydantic_ai.providers import Provider, infer_provider_class

from impossible_moments.errors import ConfigurationError
from impossible_moments.models.failures import FailureKind, ModelFailure
from impossible_moments.models.keys import Keys, variable_of
from impossible_moments.models.references import LOCAL, ModelReference

SECONDS: Final = 600.0
"""How long one answer may take: long thought is allowed, a dead connection is not."""
_NO_KEY_NEEDED: Final = "none"


def require(reference: ModelReference, keys: Keys) -> None:
    """Raise where a key or a package is missing that the model needs for certain."""
    package = {"openai": "openai", LOCAL: "openai", "anthropic": "anthropic"}.get(reference.provider)
    if package is not None and find_spec(package) is None:
        raise ModelFailure(FailureKind.NOT_INSTALLED, str(reference))
    if package is not None and reference.provider != LOCAL:
        _key(reference, keys)


def model_for(reference: ModelReference, keys: Keys) -> Model:
    """The model of a reference, or a failure that says what is missing."""
    try:
        match reference.provider:
            case "openai" | "local":
                return _openai(reference, keys)
            case "anthropic":
                return _anthropic(reference, keys)
            case _:
                return _other(reference, keys)
    except ImportError as problem:
        raise ModelFailure(FailureKind.NOT_INSTALLED, str(reference), str(problem)) from None


def _openai(reference: ModelReference, keys: Keys) -> Model:
    # chat completions, which every compatible server speaks: one reference means one endpoint everywhere
    from openai import AsyncOpenAI  # noqa: PLC0415 - a second to load, and needed by those who use it
    from pydantic_ai.models.openai import OpenAIChatModel  # noqa: PLC0415
    from pydantic_ai.providers.openai import OpenAIProvider  # noqa: PLC0415

    key = keys.of(reference.provider) if reference.provider == LOCAL else _key(reference, keys)
    client = AsyncOpenAI(
        api_key=key or _NO_KEY_NEEDED, base_url=reference.base_url or None, max_retries=0, timeout=SECONDS
    )
    return OpenAIChatModel(reference.name, provider=OpenAIProvider(openai_client=client))


def _anthropic(reference: ModelReference, keys: Keys) -> Model:
    from anthropic import AsyncAnthropic  # noqa: PLC0415
    from pydantic_ai.models.anthropic import AnthropicModel  # noqa: PLC0415
    from pydantic_ai.providers.anthropic import AnthropicProvider  # noqa: PLC0415

    client = AsyncAnthropic(
        api_key=_key(reference, keys), base_url=reference.base_url or None, max_retries=0, timeout=SECONDS
    )
    return AnthropicModel(reference.name, provider=AnthropicProvider(anthropic_client=client))


def _other(reference: ModelReference, keys: Keys) -> Model:
    """Whatever else pydantic-ai knows, with the key found here."""

    def provider(name: str) -> Provider[Any]:
        given: dict[str, Any] = {}
        if key := keys.of(reference.provider):
            given["api_key"] = key
        if reference.base_url:
            given["base_url"] = reference.base_url
        made: Provider[Any] = infer_provider_class(name)(**given)
        return made

    try:
        return infer_model(f"{reference.provider}:{reference.name}", provider_factory=provider)
    except (UserError, ValueError, TypeError) as problem:
        if keys.of(reference.provider) is None and "api_key" in str(problem).lower():
            raise ModelFailure(FailureKind.NO_KEY, str(reference), variable_of(reference.provider)) from None
        raise ConfigurationError(
            f"`{reference}` cannot be used: {keys.scrubbed(str(problem)).splitlines()[0]}"
        ) from None


def _key(reference: ModelReference, keys: Keys) -> str:
    key = keys.of(reference.provider)
    if not key:
        raise ModelFailure(FailureKind.NO_KEY, str(reference), variable_of(reference.provider))
    return key
