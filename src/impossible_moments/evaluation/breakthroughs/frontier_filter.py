"""The automatic filter for answers to open questions: their figures are checked against the record.

It reports which conditions of the envelope the figures meet, which known limits they exceed, and what is
missing. A condition counts as met only if the answer states every figure that the condition reads.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.mechanics.language import Expression, UnitError, parse_expression, parse_unit
from impossible_moments.mechanics.language import expressions as ex
from impossible_moments.mechanics.numbers import CLAIMED_NUMBER, parse_digits
from impossible_moments.mechanics.proofs import Frontier, judge_answer_claims
from impossible_moments.mechanics.records import Quantity, parse_line, parse_quantity
from impossible_moments.mechanics.wording import extract_word_stems

FULL: Final = 10.0
_FIGURE: Final = re.compile(
    r"(?:[~<>=≈≤≥]|about|at least|at most|under|over)*\s*"
    rf"({CLAIMED_NUMBER})\s*\[?([^\s\[\],;]{{0,40}})\]?.*",
    re.DOTALL,
)


@dataclass(frozen=True)
class FilterResult:
    """The result of checking the figures of an answer against the envelope."""

    met: tuple[str, ...]
    """Conditions of the envelope that the figures meet."""
    beyond: tuple[str, ...]
    """Known limits that the figures exceed."""
    missing: tuple[str, ...]
    """Conditions that the figures do not meet, or that read a figure which is not stated."""
    unstated: tuple[str, ...] = ()
    """Requested figures that are not given, cannot be parsed, or lie outside the permitted range."""

    @property
    def passes(self) -> bool:
        """Whether all conditions are met and a known limit is exceeded."""
        return bool(self.met) and bool(self.beyond) and not self.missing

    @property
    def completeness(self) -> float:
        """The computed part of completeness, 0 to 10: the share of conditions that are met."""
        return FULL * len(self.met) / max(len(self.met) + len(self.missing), 1)

    @property
    def novelty(self) -> float:
        """The computed part of novelty: 10 if a known limit is exceeded, otherwise 0."""
        return FULL * bool(self.beyond)


def check_figures_against_envelope(
    answer: ParsedAnswer, key: AnswerKey, further_figures: Mapping[str, str] | None = None
) -> FilterResult:
    """Check the figures of an answer against the envelope of the record.

    `further_figures` holds figures that judges or a translator found in its text.
    """
    frontier, world = build_frontier(key), key.analysis.world
    numbers = _parse_stated_figures(answer, frontier, further_figures)
    stated_frontier = Frontier(
        frontier.claims,
        _select_stated_conditions(frontier.envelope, key, numbers, frontier),
        _select_stated_conditions(frontier.known, key, numbers, frontier),
        holds=frontier.holds,
    )
    met, beyond = judge_answer_claims(stated_frontier, world, numbers)
    return FilterResult(
        met=tuple(name for name, holds in met.items() if holds),
        beyond=beyond,
        missing=tuple(name for name in frontier.envelope if not met.get(name)),
        unstated=tuple(name for name in frontier.claims if name not in numbers),
    )


def extract_stated_figures(
    answer: ParsedAnswer, key: AnswerKey, further_figures: Mapping[str, str] | None = None
) -> dict[str, float]:
    """Return the figures of an answer in SI units, by their names and in the order of the record."""
    return _parse_stated_figures(answer, build_frontier(key), further_figures)


def build_frontier(key: AnswerKey) -> Frontier:
    """Build the frontier of a verified record without proving it again."""
    form = key.analysis.world.record.frontier
    if form is None:
        raise ConfigurationError(f"{key.scenario_id} has no frontier; only scenarios of status OF have one.")
    claims = [parse_quantity(line) for line in form.claims]
    return Frontier(
        {each.name: each for each in claims},
        _parse_conditions(form.envelope),
        _parse_conditions(form.known),
        holds=True,
    )


def _parse_stated_figures(
    answer: ParsedAnswer, frontier: Frontier, further_figures: Mapping[str, str] | None
) -> dict[str, float]:
    stated_figures = {**(further_figures or {}), **_match_claims_to_record_names(answer.claims, frontier)}
    return {
        name: number
        for name, quantity in frontier.claims.items()
        if name in stated_figures and (number := _parse_figure(stated_figures[name], quantity)) is not None
    }


def _parse_conditions(lines: list[str]) -> dict[str, Expression]:
    parts = [parse_line(line, example="") for line in lines]
    return {each.head: parse_expression(each.body) for each in parts}


def _select_stated_conditions(
    conditions: Mapping[str, Expression], key: AnswerKey, numbers: Mapping[str, float], frontier: Frontier
) -> dict[str, Expression]:
    """Return the conditions whose figures are all stated."""
    open_claims = frontier.claims.keys() - numbers.keys()
    return {
        name: tree
        for name, tree in conditions.items()
        if not ex.collect_paths(key.analysis.world.expand_derived_quantities(tree)) & open_claims
    }


def _match_claims_to_record_names(figures: Mapping[str, str], frontier: Frontier) -> dict[str, str]:
    """Return the figures of an answer by record name: an equal name, or the only one that shares a word."""
    found: dict[str, str] = {}
    for name, value in figures.items():
        plain = name.strip().lower().replace(" ", "_")
        words = extract_word_stems(name.replace("_", " "))
        similar_names = [
            each for each in frontier.claims if words & extract_word_stems(each.replace("_", " "))
        ]
        if plain in frontier.claims:
            found[plain] = value
        elif len(similar_names) == 1:
            found.setdefault(similar_names[0], value)
    return found


def _parse_figure(text: str, quantity: Quantity) -> float | None:
    """Return a figure in SI units, or None if it is invalid or outside the permitted range."""
    match = _FIGURE.fullmatch(text.strip())
    if match is None or not isinstance(quantity.tree, ex.Number):
        return None
    number, plain = parse_digits(match[1]), quantity.tree.dimension.is_plain
    try:
        measure = parse_unit(match[2]) if match[2] else quantity.display_unit
    except UnitError:
        # a word after a dimensionless number is not a unit: "0.999 of all sunlight"
        measure = None if plain else parse_unit("1")
    if measure is not None and measure.dimension != quantity.tree.dimension:
        return None
    value = number if measure is None else measure.to_si(number)
    low, high = quantity.low, quantity.high
    if not math.isfinite(value) or (low is not None and value < low) or (high is not None and value > high):
        return None
    return value
