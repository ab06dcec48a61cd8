"""The wording of one call: its menu line, its deed, and what an answer must say for it to count."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.records.plans import PlanError, PlannedCall, parse_call
from impossible_moments.mechanics.records.wording_forms import ActionWording

ANY: Final = "*"
VALUE: Final = "{value}"
"""In a statement: the value that the solver chooses."""


@dataclass(frozen=True, slots=True)
class NeededStatement:
    """Something that an answer must say for a call to count.

    Each alternative is a few words that must all occur. One alternative is enough.
    """

    name: str
    alternatives: tuple[str, ...]
    is_value: bool = False
    """Whether the answer must state the value that it chooses."""
    names: tuple[str, ...] = ()
    """The names of the thing in the slot that it asks for, if it asks for one."""


@dataclass(frozen=True, slots=True)
class CallWording:
    """A call in plain words, with the labels of its things filled in."""

    call: PlannedCall
    menu: str
    deed: str
    needed: tuple[NeededStatement, ...]
    implied: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    near_misses: tuple[str, ...] = ()
    is_unsaid: bool = False


@dataclass(frozen=True, slots=True)
class CallPattern:
    """A verb with arguments, of which `*` stands for any. A verb alone stands for all its calls."""

    verb: str
    arguments: tuple[str, ...] | None

    def matches_call(self, call: PlannedCall) -> bool:
        """Return whether a call has this verb and these arguments."""
        if call.verb != self.verb:
            return False
        if self.arguments is None:
            return True
        return len(self.arguments) == len(call.arguments) and all(
            expected in {ANY, found} for expected, found in zip(self.arguments, call.arguments, strict=True)
        )

    @property
    def specificity(self) -> int:
        """The number of arguments that are not `*`. A verb alone is the least specific."""
        return -1 if self.arguments is None else sum(each != ANY for each in self.arguments)


def parse_call_pattern(text: str) -> CallPattern:
    """Parse `verb` or `verb(argument, *)`. Raise `PlanError` if it is neither."""
    if "(" not in text:
        return CallPattern(parse_call(f"{text.strip()}()").verb, None)
    call = parse_call(text)
    return CallPattern(call.verb, call.arguments)


def find_call_pattern(entries: Iterable[ActionWording], call: PlannedCall) -> ActionWording | None:
    """Return the most specific entry for a call, the later one of two equally specific ones."""
    found: ActionWording | None = None
    best = -2
    for entry in entries:
        try:
            pattern = parse_call_pattern(entry.call)
        except PlanError:
            continue
        if pattern.matches_call(call) and pattern.specificity >= best:
            found, best = entry, pattern.specificity
    return found
