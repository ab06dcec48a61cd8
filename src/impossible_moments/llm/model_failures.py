"""Failures of model calls: a kind for each, with a message that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError

LONGEST_DETAIL: Final = 200


class FailureKind(StrEnum):
    """The kinds of failure of a model call."""

    NOT_INSTALLED = "not installed"
    NO_KEY = "no key"
    WRONG_KEY = "wrong key"
    NO_MODEL = "no such model"
    OVERFLOW = "context overflow"
    REJECTED = "rejected"
    QUOTA = "quota"
    RATE = "rate limit"
    OVERLOADED = "overloaded"
    SERVER = "server error"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    CUT = "cut off"
    GARBLED = "garbled"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    NO_DELIVERABLE = "no deliverable"
    BUDGET = "token budget"
    SPENDING = "spending limit"


# fmt: off
_SENTENCES: Final[Mapping[FailureKind, str]] = {
    FailureKind.NOT_INSTALLED:  "the client for {model} is not installed; install it with pip install 'impossible-moments[llm]', or use the built-in cast, which needs no client",
    FailureKind.NO_KEY:         "there is no key for {model}; set {detail}, add it to the file that IM_KEYS_FILE names, or use the built-in cast, which needs no key",
    FailureKind.WRONG_KEY:      "{model} does not accept the key; check that the key is correct and may use this model",
    FailureKind.NO_MODEL:       "the provider does not know {model}; check the name, and the address if one is given",
    FailureKind.OVERFLOW:       "the prompt is longer than {model} can read; choose a model with a longer context window",
    FailureKind.REJECTED:       "{model} rejects the request as it stands; choose a model that can call tools, or fix what the provider reports",
    FailureKind.QUOTA:          "the account behind {model} has no credit left; top it up, then continue with the same command",
    FailureKind.RATE:           "{model} refuses calls because there are too many; wait, reduce the number of parallel pipelines, then continue",
    FailureKind.OVERLOADED:     "{model} is overloaded or down; wait, then continue",
    FailureKind.SERVER:         "the server of {model} failed several times; wait, then continue",
    FailureKind.UNREACHABLE:    "{model} cannot be reached; check the network, or that the local server is running",
    FailureKind.TIMEOUT:        "{model} did not answer in time; continue, or choose a faster model",
    FailureKind.CUT:            "the connection to {model} broke off in the middle of the answer, several times; continue",
    FailureKind.GARBLED:        "the server at the address of {model} does not use the expected protocol; check the address",
    FailureKind.TRUNCATED:      "{model} used up its token budget before it finished; choose a model that writes less, or continue",
    FailureKind.REFUSED:        "{model} refuses to answer; choose another model for this role",
    FailureKind.NO_DELIVERABLE: "{model} handed in no valid deliverable in any of its tries; choose a stronger model for this role, or continue",
    FailureKind.BUDGET:         "{model} has used up the token budget of its role in this phase; choose a model that writes less, or raise the role's max_token_budget",
    FailureKind.SPENDING:       "the next call to {model} could exceed the spending limit, so it was not made; raise the limit and continue, nothing is lost",
}
# fmt: on
CONFIGURED: Final = frozenset(
    {
        FailureKind.NOT_INSTALLED,
        FailureKind.NO_KEY,
        FailureKind.WRONG_KEY,
        FailureKind.NO_MODEL,
        FailureKind.REJECTED,
    }
)
"""Failures that the user must fix before any call can succeed."""
PASSING: Final = frozenset(
    {
        FailureKind.RATE,
        FailureKind.OVERLOADED,
        FailureKind.SERVER,
        FailureKind.UNREACHABLE,
        FailureKind.TIMEOUT,
        FailureKind.CUT,
    }
)
"""Transient failures. These calls are retried."""


UNBILLED: Final = frozenset({FailureKind.TIMEOUT, FailureKind.CUT, FailureKind.GARBLED})
"""Failures after which it is not known what the provider charges."""


class ModelFailure(ImpossibleMomentsError):
    """A model call that gave no usable answer."""

    def __init__(
        self, kind: FailureKind, model: str, detail: str = "", *, retry_after: float | None = None
    ) -> None:
        # the provider's text may be cut within a character, but a message must be printable and storable
        detail = detail.encode("utf-8", "replace").decode("utf-8")
        super().__init__(kind, model, detail)
        self.kind, self.model, self.detail, self.retry_after = kind, model, detail, retry_after
        self.taken: tuple[int, int, str | None] = (0, 0, None)
        """Input tokens, output tokens and dollars, if the failed call was charged."""
        self.said = ""
        """The text of the model, if it was truncated or refused."""
        self.paid = ""
        """A sentence that states what the failed call cost."""

    def __str__(self) -> str:
        said = _SENTENCES[self.kind].format(model=self.model, detail=self.detail)
        excerpt = " ".join(self.detail.split())[:LONGEST_DETAIL]
        shown = f" ({excerpt})" if excerpt and self.kind is not FailureKind.NO_KEY else ""
        return f"{said}{shown}.{f' {self.paid}' if self.paid else ''}"

    @property
    def is_transient(self) -> bool:
        """Whether the same call may succeed a little later."""
        return self.kind in PASSING

    @property
    def is_configuration_error(self) -> bool:
        """Whether the user must change something before the call can succeed."""
        return self.kind in CONFIGURED
