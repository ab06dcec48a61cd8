"""Matching of the conflicts that an answer names against the conditions that make the goal impossible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.answers.condition_terms import DEADLINE
from impossible_moments.evaluation.answers.figure_matching import (
    extract_figures_of_line,
    find_mentioned_quantities,
)
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.language import TIME

MAIN_CONDITION_WEIGHT: Final = 0.7
"""Weight of the conditions at which serious attempts fail; the other conditions share the rest."""
ALLOWED_ASIDE_SHARE: Final = 0.25
"""The share of an answer's lines that may be about something else."""
RELAXED_LIMIT_FACTOR: Final = 1.01
_LEAST_NAMED_SHARE: Final = 0.34
"""The share of a condition's words that a line must contain to name it; at least two words."""
_FEWEST_WORDS: Final = 2
_MOST_NAMING_WORDS: Final = 24
"""Maximum words of a line that names a condition, or twice the condition's own; excludes recited text."""
_MOST_FIGURE_WORDS: Final = 36
"""Maximum words of a line that names a condition by its figures."""
_FEWEST_FIGURES, _MOST_FIGURES = 2, 10
"""Number of figures of one condition that a line needs to name it without words, and may have at most."""


@dataclass(frozen=True, slots=True)
class NamedConflict:
    """Conditions that an answer names as the reason why the goal is impossible."""

    conditions: frozenset[str]
    """Named conditions that are part of the conflict."""
    share: float
    """Share of the conflict that is named, by weight."""
    relevance: float
    """Share of the answer's lines that name a condition against the goal, with an allowance for asides."""


def match_conflict(answer: ParsedAnswer, key: AnswerKey) -> NamedConflict:
    """Compare the conflict that an answer states with the conflict of the record."""
    against = {*key.conflict, *key.closing_conditions}
    by_line = [{name for name in against if _mentions_condition(line, name, key)} for line in answer.conflict]
    named = frozenset(key.conflict) & frozenset[str]().union(*by_line)
    line_share = sum(map(bool, by_line)) / ((1 - ALLOWED_ASIDE_SHARE) * len(by_line)) if by_line else 0.0
    return NamedConflict(named, _compute_share_of_conflict_named(named, key), min(line_share, 1.0))


def _compute_share_of_conflict_named(named_conditions: frozenset[str], key: AnswerKey) -> float:
    main_conditions, side_conditions = (
        key.breaking_conditions & key.conflict.keys(),
        key.conflict.keys() - key.breaking_conditions,
    )
    if not main_conditions or not side_conditions:
        return len(named_conditions) / len(key.conflict) if key.conflict else 0.0
    return MAIN_CONDITION_WEIGHT * len(named_conditions & main_conditions) / len(main_conditions) + (
        1 - MAIN_CONDITION_WEIGHT
    ) * len(named_conditions & side_conditions) / len(side_conditions)


def _mentions_condition(line: str, condition: str, key: AnswerKey) -> bool:
    line_words, condition_words = extract_word_stems(line), key.conditions.get_condition_words(condition)
    common = len(condition_words & line_words)
    if (
        # naming things alone is not enough: a word about them is needed
        condition_words & line_words - key.names.label_words
        and common >= (1 if condition == DEADLINE else min(_FEWEST_WORDS, len(condition_words)))
        and common >= _LEAST_NAMED_SHARE * min(len(condition_words), len(line_words))
        and len(line_words) <= max(_MOST_NAMING_WORDS, 2 * len(condition_words))
    ):
        return True
    if len(line_words) > _MOST_FIGURE_WORDS:
        return False
    if condition == DEADLINE:
        return _states_time_beyond_deadline(line, key)
    found = find_mentioned_quantities(line, key.conditions.get_quantity_paths(condition), key.analysis.world)
    if found.figure_count > _MOST_FIGURES or not found.paths:
        return False
    limited = any(each.name == condition for each in key.analysis.world.never_rules)
    return (
        found.mentions_enough(_FEWEST_FIGURES, _LEAST_NAMED_SHARE)
        # one figure and one word of the condition; for a never-line its limit and a figure compared with it
        or (
            common > 0
            and found.mentions_enough(1, _LEAST_NAMED_SHARE)
            and len(line_words) <= _MOST_NAMING_WORDS
        )
        or (limited and _compares_figure_with_limit(line, found.paths, key))
    )


def _compares_figure_with_limit(line: str, limits: frozenset[str], key: AnswerKey) -> bool:
    """Check whether a line compares a limit with another figure of the same dimension."""
    dimensions = {
        display_unit.dimension
        for path in limits
        if (display_unit := key.analysis.world.quantities[path].display_unit) is not None
    }
    return any(
        sum(each.dimension == kind for each in extract_figures_of_line(line)) >= _FEWEST_FIGURES
        for kind in dimensions
    )


def _states_time_beyond_deadline(line: str, key: AnswerKey) -> bool:
    """Check whether a line states a time that is longer than the available time."""
    words = [word for word in extract_word_stems(line) if word.isalpha() and len(word) > 1]
    there_is = key.time
    return (
        there_is is not None
        and len(words) >= _FEWEST_WORDS
        and any(
            each.dimension == TIME and each.si[1] > RELAXED_LIMIT_FACTOR * there_is
            for each in extract_figures_of_line(line)[:_MOST_FIGURES]
        )
    )
