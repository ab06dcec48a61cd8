"""What a model needs on this machine: the packages of its client, and a key."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Final

from impossible_moments.llm.api_keys import ApiKeys, get_key_variable
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import LOCAL, ModelReference

_CLIENT: Final = "pydantic_ai"
_PROVIDER_PACKAGES: Final = {"openai": "openai", LOCAL: "openai", "anthropic": "anthropic"}


def require_packages(reference: ModelReference) -> None:
    """Raise `ModelFailure` if a package that the model needs is not installed."""
    for package in (_CLIENT, _PROVIDER_PACKAGES.get(reference.provider)):
        if package is not None and find_spec(package) is None:
            raise ModelFailure(FailureKind.NOT_INSTALLED, str(reference))


def require_known_key(reference: ModelReference, keys: ApiKeys) -> None:
    """Raise `ModelFailure` if a provider that is known to need a key has none."""
    if reference.provider in _PROVIDER_PACKAGES and reference.provider != LOCAL:
        require_key(reference, keys)


def require_key(reference: ModelReference, keys: ApiKeys) -> str:
    """Return the key of the model's provider. Raise `ModelFailure` if there is none."""
    key = keys.get_key(reference.provider)
    if not key:
        raise ModelFailure(FailureKind.NO_KEY, str(reference), get_key_variable(reference.provider))
    return key
