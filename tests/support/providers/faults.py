"""What can go wrong between a client and its provider, and a plan of when.

A `Failure` stands in place of an answer and costs nothing. A `Bend` changes what the model says. A `Break` spoils
the answer on its way, a `Slow` delays it. Whatever reached the model is charged, also if the client never sees it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime
from enum import StrEnum
from typing import Final, TypeAlias

from support.providers.conversation import Call, Question, Reply
from support.providers.dialect import REFUSAL, Error


@dataclass(frozen=True)
class Failure:
    """The provider refuses, perhaps saying when to come back: after seconds, or at a time."""

    error: Error
    retry_after: float | datetime | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say when to come back."""
        match self.retry_after:
            case None:
                return {}
            case datetime() as moment:
                return {"retry-after": format_datetime(moment.astimezone(UTC), usegmt=True)}
            case seconds:
                return {"retry-after": f"{seconds:g}" if seconds < 1_000_000 else f"{seconds:.0f}"}


class Break(StrEnum):
    """An answer spoilt on its way. A reset before it, a page and an empty body never reached the model: they cost nothing."""

    RESET_BEFORE = "connection reset before the answer"
    RESET_MIDDLE = "connection reset in the middle of the answer"
    CUT = "answer that ends without its end"
    ERROR_EVENT = "event stream that turns into an error"
    GARBLED = "body that is not JSON though it says so"
    HTML = "status 200 with a page"
    EMPTY = "status 200 with nothing"


@dataclass(frozen=True)
class Bend:
    """The model says something else than its brain; `name` tells what."""

    name: str
    bent: Callable[[Reply, Question], Reply]


@dataclass(frozen=True)
class Slow:
    """The answer comes, after so many seconds."""

    seconds: float


Fault: TypeAlias = Failure | Break | Bend | Slow
Plan: TypeAlias = Mapping[int, Fault] | Callable[[int, Question], Fault | None]
"""A fault by number, or a function that is asked each time.

Numbers begin with 1 and count what asks for an answer, with a good key, in order of arrival.
"""


def planned(plan: Plan | None, number: int, question: Question) -> Fault | None:
    """What goes wrong with this request."""
    if plan is None:
        return None
    return plan.get(number) if isinstance(plan, Mapping) else plan(number, question)


def always(fault: Fault) -> Plan:
    """The fault, whatever is asked."""
    return lambda _number, _question: fault


def first(count: int, fault: Fault) -> Plan:
    """The fault for the first `count` requests; those after them go well."""
    return lambda number, _question: fault if number <= count else None


# fmt: off
RATE_LIMIT:   Final = Failure(Error.RATE_LIMIT)
QUOTA:        Final = Failure(Error.QUOTA)
CREDIT:       Final = Failure(Error.CREDIT)
WRONG_KEY:    Final = Failure(Error.AUTHENTICATION)
FORBIDDEN:    Final = Failure(Error.PERMISSION)
NO_MODEL:     Final = Failure(Error.NO_MODEL)
CONTEXT:      Final = Failure(Error.CONTEXT)
BAD_REQUEST:  Final = Failure(Error.INVALID)
INTERNAL:     Final = Failure(Error.INTERNAL)
UNAVAILABLE:  Final = Failure(Error.UNAVAILABLE)
OVERLOADED:   Final = Failure(Error.OVERLOADED)
# fmt: on

HUGE_BYTES: Final = 1_000_000
HALF_SAID: Final = "The first step is to"
OFF_SCHEMA: Final = {"not_in_the_schema": [None]}


def _with_last_call(name: str, change: Callable[[Call], Call]) -> Bend:
    """A bend of the answer's last tool call, or of one that is made up where the brain made none."""

    def bent(reply: Reply, question: Question) -> Reply:
        if not reply.calls and not question.tools:
            raise ValueError(
                f"The fault {name!r} bends a tool call, but the question offers no tools: plan it for one that does."
            )
        calls = reply.calls or (Call(question.tools[0].name, {}),)
        return replace(reply, calls=(*calls[:-1], change(calls[-1])))

    return Bend(name, bent)


def _half(text: str) -> str:
    return text[: len(text) // 2]


def _prose(reply: Reply, _question: Question) -> Reply:
    told = "; ".join(f"{call.name} {call.json}" for call in reply.calls)
    return replace(reply, text=reply.text or f"Here is what I think. {told}", calls=(), finish="stop")


def _truncated(reply: Reply, _question: Question) -> Reply:
    if not reply.calls:
        return replace(reply, text=_half(reply.text), finish="length")
    *before, last = reply.calls
    return replace(reply, calls=(*before, replace(last, written=_half(last.json))), finish="length")


def _refused(reply: Reply, question: Question) -> Reply:
    said = (
        REFUSAL if question.protocol == "openai" else ""
    )  # the other provider's refusal comes without a word
    return replace(reply, text=said, calls=(), finish="refusal")


def _partway(reply: Reply, _question: Question) -> Reply:
    return replace(reply, text=_half(reply.text) or HALF_SAID, calls=(), finish="filter")


def _huge(reply: Reply, _question: Question) -> Reply:
    return replace(reply, text=(reply.text + " and so on" * (HUGE_BYTES // 10))[:HUGE_BYTES])


MALFORMED_ARGUMENTS: Final = _with_last_call(
    "malformed arguments", lambda call: replace(call, written=call.json[:-1] + ", oops")
)
WRONG_SCHEMA: Final = _with_last_call(
    "wrong schema", lambda call: replace(call, arguments=OFF_SCHEMA, written=None)
)
PROSE: Final = Bend("prose instead of a tool call", _prose)
TRUNCATED: Final = Bend("truncated", _truncated)
REFUSED: Final = Bend("refused", _refused)
FILTERED: Final = Bend("filtered", lambda reply, _: replace(reply, text="", calls=(), finish="filter"))
REFUSED_PARTWAY: Final = Bend("refused partway", _partway)
NO_USAGE: Final = Bend("no usage", lambda reply, _: replace(reply, reports_usage=False))
HUGE: Final = Bend("huge", _huge)
