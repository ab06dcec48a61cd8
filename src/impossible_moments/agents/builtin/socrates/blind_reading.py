"""The blind reading: facts, options and signs of a public text, weighed into a solution status."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import exp
from typing import Any, Final

from impossible_moments.agents.builtin.socrates.approaches import (
    Approach,
    find_known_uses,
    list_approaches,
    states_use,
)
from impossible_moments.agents.builtin.socrates.option_review import (
    BODY_LABELS,
    FigureComparison,
    OptionReview,
    review_options,
)
from impossible_moments.agents.builtin.socrates.reading_signs import (
    PRIOR,
    NoticedSign,
    find_reported_belief,
    find_signs,
    load_reading_signs,
)
from impossible_moments.agents.builtin.socrates.text_facts import TextFacts
from impossible_moments.domain.vocabulary import Status
from impossible_moments.mechanics.numbers import SPOKEN_NUMBERS

WIDE_MARGIN: Final = 3.0
"""A thing that meets its need this many times over leaves nothing to work out."""
NO_OPTION_LEFT: Final[Mapping[Status, float]] = {"PX": 1.5, "OF": 2.5}
"""Of 523 drawn texts, 3 % with a way, 11 % of the paradoxes and 31 % of the open problems exclude every option."""
PLAIN_OPTION: Final[Mapping[Status, float]] = {"DG": 1.0}
OPEN_WAY: Final[Mapping[Status, float]] = {"DG": 3.5}
FEW_CONDITIONS: Final = 3
_FIGURE: Final = re.compile(r"\d")
_LIMIT: Final = re.compile(
    r"\b(?:at least|at most|(?:less|more) than|withstands|strikes with|at a height of)\b", re.IGNORECASE
)
_AMOUNT: Final = re.compile(
    rf"\d|\b(?:{'|'.join(sorted(SPOKEN_NUMBERS))}|nothing|none|no|any)\b", re.IGNORECASE
)


@dataclass(frozen=True)
class BlindReading:
    """What a first reader made of a text."""

    facts: TextFacts
    options: tuple[OptionReview, ...]
    signs: tuple[NoticedSign, ...]
    belief: str
    """A sentence that restricts by belief or custom only, or an empty string."""

    @property
    def comparisons(self) -> tuple[FigureComparison, ...]:
        """All comparisons of a stated figure with a stated need."""
        return tuple(each for option in self.options for each in option.comparisons)

    @property
    def conflicts(self) -> tuple[FigureComparison, ...]:
        """The comparisons that end against an option."""
        return tuple(each for each in self.comparisons if not each.holds)

    @cached_property
    def approaches(self) -> tuple[Approach, ...]:
        """What comes to mind, in words."""
        return list_approaches(self.options, self.facts)

    @property
    def is_every_option_excluded(self) -> bool:
        """Whether each option that could be compared with a need misses it."""
        compared = [option for option in self.options if option.comparisons]
        return len(compared) > 1 and all(option.is_excluded for option in compared)

    @property
    def plain_options(self) -> tuple[OptionReview, ...]:
        """Options that meet their need many times over, with nothing said against them, in a text of few conditions."""
        if len(self.facts.conditions) > FEW_CONDITIONS:
            return ()
        return tuple(
            option
            for option in self.options
            if option.is_unopposed
            and option.comparisons
            and all(each.ratio >= WIDE_MARGIN for each in option.comparisons)
        )

    @property
    def open_ways(self) -> tuple[OptionReview, ...]:
        """Parts of the place that lead out and that nothing holds, as the text states."""
        return tuple(option for option in self.options if option.is_open_way)

    @cached_property
    def probabilities(self) -> Mapping[Status, float]:
        """The probability of each status in the reader's eyes."""
        scores = dict(PRIOR)
        noticed = {each.sign.name for each in self.signs}
        signs, belief = load_reading_signs()
        for sign in signs:
            _add_weights(scores, sign.present if sign.name in noticed else sign.absent)
        _add_weights(scores, belief.present if self.belief else belief.absent)
        if self.is_every_option_excluded:
            _add_weights(scores, NO_OPTION_LEFT)
        if self.plain_options:
            _add_weights(scores, PLAIN_OPTION)
        if self.open_ways:
            _add_weights(scores, OPEN_WAY)
        total = sum(exp(score) for score in scores.values())
        return {status: exp(score) / total for status, score in scores.items()}

    @property
    def ranking(self) -> tuple[Status, ...]:
        """The statuses from the most to the least probable."""
        return tuple(sorted(self.probabilities, key=lambda status: (-self.probabilities[status], status)))

    @property
    def status(self) -> Status:
        """The most probable status."""
        return self.ranking[0]

    @property
    def coverage(self) -> float:
        """The share of the named things of which more was understood than the name.

        Each limit without a figure leaves that much less to go by.
        """
        if not self.options:
            return 0.0
        understood = 1 - len(self.unknown_things) / len(self.options)
        return understood / (1 + len(self.limits_without_figure))

    @cached_property
    def limits_without_figure(self) -> tuple[str, ...]:
        """The clauses of tables that state a limit, such as `withstands blows of less than`, and no figure after it."""
        clauses = (clause.strip() for row in self.facts.rows for clause in row.split(";"))
        return tuple(
            clause
            for clause in dict.fromkeys(clauses)
            if (limit := _LIMIT.search(clause)) is not None and not _AMOUNT.search(clause, limit.end())
        )

    @property
    def unknown_things(self) -> tuple[str, ...]:
        """The named things of which nothing but the name was understood."""
        return tuple(option.thing.name for option in self.options if not self._is_understood(option))

    def _is_understood(self, option: OptionReview) -> bool:
        """Return whether a reader knows a use of a thing, or the text states a figure, a use or an obstacle of it."""
        if option.comparisons or option.remarks or option.is_barred or option.has_adverse_note:
            return True
        if find_known_uses(option.thing):
            return True
        if states_use(option.thing) or any(each.label not in BODY_LABELS for each in option.thing.measures):
            return True
        return any(_FIGURE.search(each) for each in self.facts.find_sentences_naming(option.thing))


def read_public_text(fields: Mapping[str, Any]) -> BlindReading:
    """Read the visible fields of a seed document as a first-time solver would."""
    facts = TextFacts.from_fields(fields)
    return BlindReading(facts, review_options(facts), find_signs(facts), find_reported_belief(facts))


def _add_weights(scores: dict[Status, float], weights: Mapping[Status, float]) -> None:
    for status, weight in weights.items():
        scores[status] += weight
