"""Diagnosis of failed calls: every provider exception becomes a `ModelFailure` of a known kind."""

from __future__ import annotations

import re
from typing import Final

from pydantic_ai import exceptions

from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.client.bounded_transport import find_refusal
from impossible_moments.llm.model_failures import FailureKind, ModelFailure
from impossible_moments.llm.model_references import ModelReference

_LONGEST_SAID: Final = 300
_SPEND_LIMIT: Final = "spend_limit"
"""Marks the refusals of Anthropic that do not end by waiting."""
_TOO_LONG: Final = re.compile(
    r"context (?:size|length|window)|too many tokens|prompt is too long", re.IGNORECASE
)
"""Matches the messages of local servers that send no error code for a prompt that is too long."""
_KINDS: Final[tuple[tuple[type[Exception], FailureKind], ...]] = (
    # subclasses before their base classes
    (exceptions.ModelQuotaExceededError, FailureKind.QUOTA),
    (exceptions.ModelRateLimitError, FailureKind.RATE),
    (exceptions.ModelUnavailableError, FailureKind.OVERLOADED),
    (exceptions.ModelServerError, FailureKind.SERVER),
    (exceptions.ModelTimeoutError, FailureKind.TIMEOUT),
    (exceptions.ModelRequestTimeout, FailureKind.TIMEOUT),
    (exceptions.ModelAuthenticationError, FailureKind.WRONG_KEY),
    (exceptions.ModelNotFoundError, FailureKind.NO_MODEL),
    (exceptions.ModelContextWindowExceededError, FailureKind.OVERFLOW),
    (exceptions.ModelRequestRejectedError, FailureKind.REJECTED),
    (exceptions.ContentFilterError, FailureKind.REFUSED),
)


def diagnose_failure(problem: Exception, model: ModelReference, keys: ApiKeys) -> ModelFailure:
    """Convert an exception to a `ModelFailure` with the provider's message.

    API keys are removed from the message.
    """
    if (refusal := find_refusal(problem)) is not None:
        return ModelFailure(FailureKind.GARBLED, str(model), str(refusal))
    # shorten after removing the keys: part of a key would not be found
    said = _shorten_message(keys.remove_keys(_extract_provider_message(problem)))
    return ModelFailure(
        _classify_exception(problem, said),
        str(model),
        said,
        retry_after=getattr(problem, "retry_after", None),
    )


def _classify_exception(problem: Exception, said: str) -> FailureKind:
    if isinstance(problem, exceptions.ModelRateLimitError) and _SPEND_LIMIT in str(problem.body):
        return FailureKind.QUOTA
    found = next((kind for error, kind in _KINDS if isinstance(problem, error)), None)
    if found is FailureKind.REJECTED and _TOO_LONG.search(said):
        return FailureKind.OVERFLOW
    if found is not None:
        return found
    if isinstance(problem, exceptions.ModelConnectionError):
        return FailureKind.CUT if problem.phase in {"read", None} else FailureKind.UNREACHABLE
    if isinstance(problem, exceptions.ModelHTTPError | exceptions.UserError | TypeError):
        return FailureKind.REJECTED
    return FailureKind.GARBLED


def _extract_provider_message(problem: Exception) -> str:
    """Return the provider's own message, or the text of the exception if there is none."""
    body = getattr(problem, "body", None)
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        if isinstance(message, str):
            return message
    return str(problem)


def _shorten_message(text: str) -> str:
    return text if len(text) <= _LONGEST_SAID else f"{text[:_LONGEST_SAID]} ..."
