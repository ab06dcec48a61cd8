"""Plans: lists of calls, in one syntax for authors, the search and solvers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.mechanics.language.expression_parser import IDENTIFIER

MAX_CALLS: Final = 12
"""The most calls of a plan, unless the record states its `longest_plan`."""
LONGEST_PLAN: Final = 40
LANGUAGE_VERBS: Final = ("answer", "wait", "wait_until", "choose", "claim", "challenge", "impossible")
_CALL: Final = re.compile(r"([A-Za-z]\w*)\s*\((.*)\)", re.DOTALL)
_QUOTED: Final = re.compile(r"'[^']*'|\"[^\"]*\"")


class PlanError(ValueError):
    """Plan or call that cannot be parsed."""


@dataclass(frozen=True, slots=True)
class PlannedCall:
    """Call of a verb with its arguments as written, including their quotation marks."""

    verb: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.verb}({', '.join(self.arguments)})"

    @staticmethod
    def split_plan(value: object) -> list[str]:
        """Return the calls of a plan that is given as a list of texts or as one text."""
        if isinstance(value, str):
            return [call.strip() for call in _split_outside_brackets(value, ";\n") if call.strip()]
        if isinstance(value, list | tuple):
            return [
                call
                for item in value
                for call in (PlannedCall.split_plan(item) if isinstance(item, str) else [str(item)])
            ]
        raise PlanError('a plan must be a list of calls, as in ["wrap(tube, hose)", "drive(bus)"]')


def parse_call(text: str) -> PlannedCall:
    """Parse one call into its verb and arguments. Raise `PlanError` if it is not a call."""
    match = _CALL.fullmatch(text.strip())
    if match is None or not IDENTIFIER.fullmatch(match[1]):
        raise PlanError(f"`{text[:80]}` is not a call; write verb(argument, ...), as in wrap(tube, hose)")
    return PlannedCall(
        match[1], tuple(part.strip() for part in _split_outside_brackets(match[2], ",") if part.strip())
    )


def strip_quotes(argument: str) -> str:
    """Return an argument without the quotation marks around it."""
    if len(argument) > 1 and argument[0] == argument[-1] and argument[0] in "'\"":
        return argument[1:-1]
    return argument


def _split_outside_brackets(text: str, signs: str) -> list[str]:
    """Split a text at any of the characters in `signs`, except inside quotes and brackets."""
    masked = _QUOTED.sub(lambda match: "q" * len(match.group()), text)
    parts, start, depth = [], 0, 0
    for at, sign in enumerate(masked):
        depth += (sign in "([{") - (sign in ")]}")
        if sign in signs and depth <= 0:
            parts.append(text[start:at])
            start = at + 1
    return [*parts, text[start:]]
