"""Options: what the named things could be used for, and which stated figures speak for or against each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from impossible_moments.agents.builtin.socrates.text_facts import (
    LENGTH,
    SPEED,
    TIME,
    Measure,
    NamedThing,
    TextFacts,
)

_LEAST: Final = re.compile(
    r"\b(?:least|needs?|needed|asks?|asked|wants?|required?|requires|demand\w*|must|minimum|withstands?|held (?:by|with)|owed|wanted|lowest|coldest|shortest)\b",
    re.IGNORECASE,
)
_MOST: Final = re.compile(
    r"\b(?:at most|most|greatest|allows?|permitted|limit|may|borne|no more|maximum|below|warmest|longest|highest)\b",
    re.IGNORECASE,
)
_DURATION: Final = re.compile(
    r"\b(?:takes?|comes? in|after|answers? (?:in|within)|needs?|within|work to|on the floor)\b", re.IGNORECASE
)
_ADVERSE: Final = re.compile(
    r"\b(?:too|cannot|can't|never|nobody|useless|broken|missing|shut|locked|refus\w+|forb\w+|not\b|no longer|only for|bears no|but)\b",
    re.IGNORECASE,
)
_BARRED: Final = re.compile(
    r"\b(?:shut fast|locked from|bricked up|bears no weight|forbidden|cannot be)\b", re.IGNORECASE
)
_LEADS_OUT: Final = re.compile(r"\b(?:leads|opens) (?:out|outside|to the street)\b", re.IGNORECASE)
_UNFASTENED: Final = re.compile(
    r"\b(?:fastened by nothing|stands open|wide open|unlocked|unfastened|not (?:locked|fastened|bolted))\b",
    re.IGNORECASE,
)
BODY_LABELS: Final = frozenset({"mass", "dimensions"})
"""The measures that every object of the table has. They say nothing about its use."""


@dataclass(frozen=True, slots=True)
class FigureComparison:
    """A stated figure of a thing against a stated need, and how it ends."""

    thing: str
    offered: Measure
    needed: Measure
    holds: bool

    @property
    def ratio(self) -> float:
        """How many times the need is met; below 1 it is missed."""
        smaller, larger = sorted((abs(self.offered.value), abs(self.needed.value)))
        ratio = larger / smaller if smaller else float("inf")
        return ratio if self.holds else 1 / ratio

    def __str__(self) -> str:
        relation = "meets" if self.holds else "misses"
        return f"{self.thing} {relation} `{self.needed.passage}` with `{self.offered.passage}`"


@dataclass(frozen=True, slots=True)
class OptionReview:
    """One option with the comparisons that could be read for it."""

    thing: NamedThing
    comparisons: tuple[FigureComparison, ...]
    remarks: tuple[str, ...]
    """Sentences of the text that speak against the option."""
    is_barred: bool

    @property
    def failures(self) -> tuple[FigureComparison, ...]:
        """The comparisons that end against the option."""
        return tuple(each for each in self.comparisons if not each.holds)

    @property
    def is_excluded(self) -> bool:
        """Whether a figure or a plain statement excludes the option."""
        return self.is_barred or bool(self.failures)

    @property
    def is_open_way(self) -> bool:
        """Whether the text states that this part of the place leads out and is not fastened."""
        stated = self.thing.description
        return (
            not self.thing.is_object
            and not self.is_excluded
            and _LEADS_OUT.search(stated) is not None
            and _UNFASTENED.search(stated) is not None
        )

    @property
    def has_adverse_note(self) -> bool:
        """Whether what its table row says of it speaks against it."""
        return _ADVERSE.search(self.thing.description) is not None

    @property
    def is_unopposed(self) -> bool:
        """Whether nothing in the text speaks against the option."""
        return not self.is_excluded and not self.remarks


def review_options(facts: TextFacts) -> tuple[OptionReview, ...]:
    """Compare every named thing with the stated needs and with the time that is left."""
    return tuple(_review_option(thing, facts) for thing in facts.things)


def _review_option(thing: NamedThing, facts: TextFacts) -> OptionReview:
    remarks = tuple(each for each in facts.find_sentences_naming(thing) if _ADVERSE.search(each))
    return OptionReview(
        thing,
        (*_compare_with_deadline(thing, facts), *_compare_with_needs(thing, facts)),
        remarks,
        _BARRED.search(thing.description) is not None,
    )


def _compare_with_deadline(thing: NamedThing, facts: TextFacts) -> Iterator[FigureComparison]:
    """Yield the comparisons of the times of a thing, stated or computed from way and pace, with the deadline."""
    deadline = facts.deadline
    if deadline is None:
        return
    for measure in thing.measures:
        if measure.dimension == TIME and _DURATION.search(measure.label):
            yield FigureComparison(thing.name, measure, deadline, measure.value <= deadline.value)
    ways = [each for each in thing.measures if each.dimension == LENGTH and not thing.is_object]
    paces = [each for each in thing.measures if each.dimension == SPEED]
    if ways and paces and paces[0].value:
        seconds = ways[0].value / paces[0].value
        travelled = Measure(
            seconds,
            TIME,
            f"{ways[0].printed} at {paces[0].printed}",
            "way",
            f"{thing.name}: {ways[0].printed} at {paces[0].printed}",
        )
        yield FigureComparison(thing.name, travelled, deadline, seconds <= deadline.value)


def _compare_with_needs(thing: NamedThing, facts: TextFacts) -> Iterator[FigureComparison]:
    for measure in thing.measures:
        if measure.dimension == TIME and _DURATION.search(measure.label):
            continue
        need = _find_need(measure, thing, facts)
        if need is not None:
            wanted, at_least = need
            holds = measure.value >= wanted.value if at_least else measure.value <= wanted.value
            yield FigureComparison(thing.name, measure, wanted, holds)


def _find_need(measure: Measure, thing: NamedThing, facts: TextFacts) -> tuple[Measure, bool] | None:
    """Return the stated need that a measure answers, and whether it is a least value.

    The need has the same dimension. It shares a word with the measure, or it is the only need of that
    dimension.
    """
    if measure.label in BODY_LABELS:
        return None
    others = [
        each
        for other in facts.things
        if other is not thing and not other.is_object
        for each in other.measures
    ]
    needs = [
        (each, _LEAST.search(each.label) is not None)
        for each in (*facts.conditions, *others)
        if each.dimension == measure.dimension
        and each is not facts.deadline
        and (_LEAST.search(each.label) or _MOST.search(each.label))
    ]
    sharing = [each for each in needs if each[0].stems & measure.stems]
    if sharing:
        return max(sharing, key=lambda each: len(each[0].stems & measure.stems))
    return needs[0] if len(needs) == 1 and not measure.dimension.is_plain else None
