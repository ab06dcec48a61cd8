"""A first reading: the text taken at its word, a search with little patience, and a second look where nothing works."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from impossible_moments.blueprints.overlay import Data
from impossible_moments.mechanics.lines import split_line, split_lines
from impossible_moments.mechanics.prose import printed_text
from impossible_moments.solving.lore import Lore
from impossible_moments.solving.solver import Solved, solve
from impossible_moments.solving.text import PublicText, tidy

IMPATIENCE: Final = 8
"""Nodes that a first reader looks at: a handful of half-plans, as a person in a minute or two.

With so many the share of scenarios that it sees through falls from tier to tier; with thirty it sees through nearly all.
"""
_PREMISE: Final = re.compile(r"^premise:\s*", re.IGNORECASE)
_IMPOSES: Final = re.compile(
    r"\b(?:must|cannot|can't|only|never|no|not|nobody|nothing|none|without|forbid\w*|rule\w*|law\w*|has to|have to|won't|unless|until)\b",
    re.IGNORECASE,
)
"""Words by which a sentence lays something down instead of merely suggesting it."""


@dataclass(frozen=True)
class FirstReading:
    """What a first reader makes of a scenario."""

    solved: Solved
    premise: str = ""
    """Words that it found to be no rule after all."""
    patience_ended: bool = False


def first_reading(text: PublicText, lore: Lore, nodes: int = IMPATIENCE) -> FirstReading:
    """Read, search a little, and if nothing works look for what was only taken for granted."""
    taken = solve(text, lore, nodes, edit=_at_its_word)
    if taken.plans or taken.status in {"unread", "CT"} or taken.report is None:
        return FirstReading(taken)
    ended = taken.report.analysis is not None and not taken.report.analysis.bounds.exhausted
    if ended:
        return FirstReading(taken, patience_ended=True)
    suspected = _suspected(taken, text)
    if suspected:
        again = solve(text, lore, nodes, edit=_without_research)
        if again.status == "MT":
            return FirstReading(again, premise=suspected)
    return FirstReading(taken)


def _at_its_word(record: Data) -> Data:
    """Every sentence that seems to impose something imposes it, and what research has shown elsewhere is not known."""
    lines = []
    for line in split_lines(record.get("never")):
        parts = split_line(line, example="drowned = level >= you.mouth @ the water")
        lines.append(f"{parts.head} = {parts.body} @ {_PREMISE.sub('', parts.evidence)}")
    return {**_without_research(record), **({"never": lines} if lines else {})}


def _without_research(record: Data) -> Data:
    return {name: value for name, value in record.items() if name != "frontier"}


def _suspected(taken: Solved, text: PublicText) -> str:
    """A sentence of the text that stands in the way and does not say that it must."""
    situation, tie = taken.situation, taken.report.tie if taken.report is not None else None
    lines = split_lines(situation.record.get("never")) if situation is not None else []
    for line in lines:
        quote = _PREMISE.sub("", split_line(line, example="a = b @ c").evidence)
        if not quote or quote.startswith("library:") or tie is None:
            continue
        words = tidy(printed_text(quote, tie))
        if words.lower() in text.whole and not _IMPOSES.search(words):
            return words
    return ""
