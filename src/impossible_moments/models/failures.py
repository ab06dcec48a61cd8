"""What can go wrong with a model, each kind with a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from impossible_moments.errors import ImpossibleMomentsError

LONGEST_DETAIL: Final = 200


class FailureKind(StrEnum):
    """The ways a call can fail."""

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
    FailureKind.NOT_INSTALLED:  "what speaks with {model} is not installed; install it with pip install 'impossible-moments[llm]', or use the built-in cast, which needs nothing",
    FailureKind.NO_KEY:         "there is no key for {model}; set {detail}, put it into the file that IM_KEYS_FILE names, or use the built-in cast, which needs none",
    FailureKind.WRONG_KEY:      "{model} does not accept the key; check that it is the right one and may use this model",
    FailureKind.NO_MODEL:       "{model} is not known to its provider; check the name, and the address if one is given",
    FailureKind.OVERFLOW:       "the prompt is longer than {model} can read; choose a model with a longer context window",
    FailureKind.REJECTED:       "{model} rejects the request as it stands; choose a model that can call tools, or mend what its provider names",
    FailureKind.QUOTA:          "the account behind {model} has no credit left; top it up, and go on with the same command",
    FailureKind.RATE:           "{model} refuses calls because there are too many; wait, lower the number of parallel pipelines, and go on",
    FailureKind.OVERLOADED:     "{model} is overloaded or down; wait and go on",
    FailureKind.SERVER:         "the server of {model} failed several times; wait and go on",
    FailureKind.UNREACHABLE:    "{model} cannot be reached; check the network, or that the local server is running",
    FailureKind.TIMEOUT:        "{model} did not answer in time; go on, or choose a faster model",
    FailureKind.CUT:            "the connection to {model} broke off in the middle of the answer, several times; go on",
    FailureKind.GARBLED:        "what answers under the address of {model} does not speak its protocol; check the address",
    FailureKind.TRUNCATED:      "{model} came to the end of its token budget before it was done; choose a model that thinks in fewer words, or go on",
    FailureKind.REFUSED:        "{model} refuses to answer; choose another model for this role",
    FailureKind.NO_DELIVERABLE: "{model} handed in nothing that can be read, after all tries; choose a stronger model for this role, or go on",
    FailureKind.BUDGET:         "{model} has used up the token budget of its role in this phase; choose a model that writes less, or raise the role's max_token_budget",
    FailureKind.SPENDING:       "the next call to {model} could pass the spending limit, so it was not made; raise the limit and go on, nothing is lost",
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
"""What the user must mend before any call can succeed."""
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
"""What may be otherwise in a moment: these calls are made again."""


UNBILLED: Final = frozenset({FailureKind.TIMEOUT, FailureKind.CUT, FailureKind.GARBLED})
"""After these it is not known what the provider charges for."""


class ModelFailure(ImpossibleMomentsError):
    """A model gave no answer that can be used."""

    def __init__(
        self, kind: FailureKind, model: str, detail: str = "", *, retry_after: float | None = None
    ) -> None:
        # providers' words, perhaps cut within a character: a sentence must be printable and storable
        detail = detail.encode("utf-8", "replace").decode("utf-8")
        super().__init__(kind, model, detail)
        self.kind, self.model, self.detail, self.retry_after = kind, model, detail, retry_after
        self.taken: tuple[int, int, str | None] = (0, 0, None)
        """Tokens sent and written, and dollars, where it was paid all the same."""
        self.said = ""
        """What the model had said, where it was cut off or refused."""
        self.paid = ""
        """What was paid for nothing, in words."""

    def __str__(self) -> str:
        said = _SENTENCES[self.kind].format(model=self.model, detail=self.detail)
        excerpt = " ".join(self.detail.split())[:LONGEST_DETAIL]
        told = f" ({excerpt})" if excerpt and self.kind is not FailureKind.NO_KEY else ""
        return f"{said}{told}.{f' {self.paid}' if self.paid else ''}"

    @property
    def passes(self) -> bool:
        """Whether the same call may succeed a little later."""
        return self.kind in PASSING

    @property
    def is_configuration(self) -> bool:
        """Whether the user must change something first."""
        return self.kind in CONFIGURED
