"""Signs in a text that bear on its solution status: what a careful first reader notices, with a weight for each.

The signs stand in `reading_signs.yaml`. They are phrases of ordinary English and not of any one scenario. They were
set while reading scenarios of some skins and measured on scenarios of others.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from math import log
from typing import Any, Final

from impossible_moments.agents.builtin.socrates.text_facts import TextFacts
from impossible_moments.domain.vocabulary import Status
from impossible_moments.mechanics.records import parse_document

_SHARES: Final[Mapping[Status, float]] = {"KS": 260, "CT": 80, "OF": 65, "PX": 55, "MT": 25, "DG": 15}
"""Specification 7.3: the planned number of scenarios of each status. A reader knows what is usual."""
PRIOR: Final[Mapping[Status, float]] = {
    status: log(count / sum(_SHARES.values())) for status, count in _SHARES.items()
}
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class ReadingSign:
    """A kind of passage, what it tells a reader, and what its presence and absence weigh for each status."""

    name: str
    pattern: re.Pattern[str]
    meaning: str
    present: Mapping[Status, float]
    absent: Mapping[Status, float]
    reads_rows: bool = True
    """Whether it is looked for in the rows of tables, too."""


@dataclass(frozen=True, slots=True)
class BeliefSign:
    """How a sentence is recognised that restricts what may be done only by reporting a belief or a custom."""

    reported: re.Pattern[str]
    restrictive: re.Pattern[str]
    imposed: re.Pattern[str]
    present: Mapping[Status, float]
    absent: Mapping[Status, float]

    def matches(self, sentence: str) -> bool:
        """Return whether a sentence reports a restriction and names no authority, sanction or figure behind it.

        The words that report it do not count as the restriction: `they always say` restricts nothing.
        """
        return (
            self.reported.search(sentence) is not None
            and self.restrictive.search(self.reported.sub(" ", sentence)) is not None
            and self.imposed.search(sentence) is None
            and _DIGIT.search(sentence) is None
        )


@dataclass(frozen=True, slots=True)
class NoticedSign:
    """A sign that was found, with the passage in which it stands."""

    sign: ReadingSign
    passage: str


@lru_cache(maxsize=1)
def load_reading_signs() -> tuple[tuple[ReadingSign, ...], BeliefSign]:
    """Load the signs and the description of a reported belief."""
    folder = files("impossible_moments.agents.builtin.socrates")
    text = folder.joinpath("reading_signs.yaml").read_text(encoding="utf-8")
    data: Any = parse_document(text, name="reading_signs.yaml")
    signs = tuple(
        ReadingSign(
            name,
            _compile(row["phrases"]),
            row["meaning"],
            row["present"],
            row.get("absent") or {},
            row.get("rows", True),
        )
        for name, row in data["signs"].items()
    )
    belief = data["belief"]
    return signs, BeliefSign(
        reported=_compile(belief["reported"]),
        restrictive=_compile(belief["restrictive"]),
        imposed=_compile(belief["imposed"]),
        present=belief["present"],
        absent=belief["absent"],
    )


def _compile(phrases: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


def find_signs(facts: TextFacts) -> tuple[NoticedSign, ...]:
    """Return the signs of the text, each once with the first passage in which it stands."""
    return tuple(_find_first_passages((*facts.sentences, facts.threat, facts.position), facts.rows))


def _find_first_passages(sentences: tuple[str, ...], rows: tuple[str, ...]) -> Iterator[NoticedSign]:
    signs, _ = load_reading_signs()
    for sign in signs:
        passages = (*sentences, *rows) if sign.reads_rows else sentences
        passage = next((each for each in passages if sign.pattern.search(each)), None)
        if passage is not None:
            yield NoticedSign(sign, passage)


def find_reported_belief(facts: TextFacts) -> str:
    """Return a sentence that restricts only by reporting a belief or a custom, or an empty string.

    Of several the shortest is returned, because a premise is usually one plain sentence.
    """
    _, belief = load_reading_signs()
    return min(filter(belief.matches, facts.sentences), key=len, default="")
