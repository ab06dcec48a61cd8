"""Plans: a list of calls, written the same by authors, by the search and by whoever answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.parsing import IDENTIFIER

MAX_CALLS: Final = 12
LANGUAGE_VERBS: Final = ("answer", "wait", "wait_until", "choose", "claim", "challenge", "impossible")
_CALL: Final = re.compile(r"([A-Za-z]\w*)\s*\((.*)\)", re.DOTALL)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


class PlanError(ValueError):
    """A plan or call that cannot be read."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """A verb and its arguments as written; quotes round an argument are kept."""

    verb: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.verb}({', '.join(self.arguments)})"


def split_calls(value: object) -> list[str]:
    """The calls of a plan given as a list of texts or as one text."""
    if isinstance(value, str):
        return [call.strip() for call in _split(value, ";\n") if call.strip()]
    if isinstance(value, list | tuple):
        return [
            call for item in value for call in (split_calls(item) if isinstance(item, str) else [str(item)])
        ]
    raise PlanError('a plan is a list of calls, as in ["wrap(tube, hose)", "drive(bus)"]')


def read_call(text: str) -> PlannedCall:
    """The verb and arguments of one call."""
    match = _CALL.fullmatch(text.strip())
    if match is None or not IDENTIFIER.fullmatch(match[1]):
        raise PlanError(f"`{text[:80]}` is no call; a call is verb(argument, ...), as in wrap(tube, hose)")
    return PlannedCall(match[1], tuple(part.strip() for part in _split(match[2], ",") if part.strip()))


def unquoted(argument: str) -> str:
    """An argument without the quotes round it."""
    if len(argument) > 1 and argument[0] == argument[-1] and argument[0] in "'\"":
        return argument[1:-1]
    return argument


def _split(text: str, signs: str) -> list[str]:
    """Text cut at any of the signs outside quotes and brackets."""
    masked = _QUOTED.sub(lambda match: "q" * len(match.group()), text)
    parts, start, depth = [], 0, 0
    for at, sign in enumerate(masked):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in signs and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
