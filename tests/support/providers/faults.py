"""Faults between a client and its provider, and plans of when they occur.

A `Failure` replaces an answer and costs nothing. A `ReplyChange` changes the reply of the model. A `Break` damages the
answer in transit, a `Slow` delays it. Whatever reached the model is charged, even if the client never receives it.
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
    """A refusal of the provider, optionally with the time of a retry: after seconds, or at a date."""

    error: Error
    retry_after: float | datetime | None = None

    @property
    def headers(self) -> dict[str, str]:
        """The headers with the time of a retry."""
        match self.retry_after:
            case None:
                return {}
            case datetime() as moment:
                return {"retry-after": format_datetime(moment.astimezone(UTC), usegmt=True)}
            case seconds:
                return {"retry-after": f"{seconds:g}" if seconds < 1_000_000 else f"{seconds:.0f}"}


class Break(StrEnum):
    """An answer damaged in transit. A reset before it, a page and an empty body never reached the model and cost nothing."""

    RESET_BEFORE = "connection reset before the answer"
    RESET_MIDDLE = "connection reset in the middle of the answer"
    CUT = "answer that ends without its end"
    ERROR_EVENT = "event stream that turns into an error"
    GARBLED = "body that is not JSON though it says so"
    HTML = "status 200 with a page"
    EMPTY = "status 200 with nothing"


@dataclass(frozen=True)
class ReplyChange:
    """A change of the reply of the brain; `name` describes it."""

    name: str
    bent: Callable[[Reply, Question], Reply]


@dataclass(frozen=True)
class Slow:
    """The answer is delayed by some seconds."""

    seconds: float


Fault: TypeAlias = Failure | Break | ReplyChange | Slow
Plan: TypeAlias = Mapping[int, Fault] | Callable[[int, Question], Fault | None]
"""A fault by request number, or a function that is called each time.

Numbers start at 1 and count the requests for an answer with a valid key, in order of arrival.
"""


def find_planned_fault(plan: Plan | None, number: int, question: Question) -> Fault | None:
    """Return the fault of this request, or None."""
    if plan is None:
        return None
    return plan.get(number) if isinstance(plan, Mapping) else plan(number, question)


def plan_always(fault: Fault) -> Plan:
    """Plan the fault for every request."""
    return lambda _number, _question: fault


def plan_first(count: int, fault: Fault) -> Plan:
    """Plan the fault for the first `count` requests."""
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


def _change_last_call(name: str, change: Callable[[Call], Call]) -> ReplyChange:
    """Make a change of the last tool call, or of an invented one if the reply has none."""

    def change_reply(reply: Reply, question: Question) -> Reply:
        if not reply.calls and not question.tools:
            raise ValueError(
                f"The fault {name!r} bends a tool call, but the question offers no tools: plan it for one that does."
            )
        calls = reply.calls or (Call(question.tools[0].name, {}),)
        return replace(reply, calls=(*calls[:-1], change(calls[-1])))

    return ReplyChange(name, change_reply)


def _cut_in_half(text: str) -> str:
    return text[: len(text) // 2]


def _reply_with_prose(reply: Reply, _question: Question) -> Reply:
    told = "; ".join(f"{call.name} {call.json}" for call in reply.calls)
    return replace(reply, text=reply.text or f"Here is what I think. {told}", calls=(), finish="stop")


def _truncate_reply(reply: Reply, _question: Question) -> Reply:
    if not reply.calls:
        return replace(reply, text=_cut_in_half(reply.text), finish="length")
    *before, last = reply.calls
    return replace(reply, calls=(*before, replace(last, written=_cut_in_half(last.json))), finish="length")


def _refuse_reply(reply: Reply, question: Question) -> Reply:
    said = (
        REFUSAL if question.protocol == "openai" else ""
    )  # the other provider's refusal comes without a word
    return replace(reply, text=said, calls=(), finish="refusal")


def _stop_partway(reply: Reply, _question: Question) -> Reply:
    return replace(reply, text=_cut_in_half(reply.text) or HALF_SAID, calls=(), finish="filter")


def _enlarge_reply(reply: Reply, _question: Question) -> Reply:
    return replace(reply, text=(reply.text + " and so on" * (HUGE_BYTES // 10))[:HUGE_BYTES])


MALFORMED_ARGUMENTS: Final = _change_last_call(
    "malformed arguments", lambda call: replace(call, written=call.json[:-1] + ", oops")
)
WRONG_SCHEMA: Final = _change_last_call(
    "wrong schema", lambda call: replace(call, arguments=OFF_SCHEMA, written=None)
)
PROSE: Final = ReplyChange("prose instead of a tool call", _reply_with_prose)
TRUNCATED: Final = ReplyChange("truncated", _truncate_reply)
REFUSED: Final = ReplyChange("refused", _refuse_reply)
FILTERED: Final = ReplyChange("filtered", lambda reply, _: replace(reply, text="", calls=(), finish="filter"))
REFUSED_PARTWAY: Final = ReplyChange("refused partway", _stop_partway)
NO_USAGE: Final = ReplyChange("no usage", lambda reply, _: replace(reply, reports_usage=False))
HUGE: Final = ReplyChange("huge", _enlarge_reply)
