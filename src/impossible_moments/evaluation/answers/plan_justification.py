"""Checks whether an answer justifies its plan: by figures, by an insight, or by rejecting alternatives.

A plan can name the right thing by luck. If an answer reaches the goal only in the loose interpretation, its
justification decides whether it counts or is sent to review.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.answers.answer_parser import ParsedAnswer
from impossible_moments.evaluation.answers.common_verbs import find_common_verbs_for_answer_phrase
from impossible_moments.evaluation.answers.figure_matching import (
    compute_printed_value,
    extract_figures_of_line,
    find_mentioned_quantities,
)
from impossible_moments.evaluation.answers.plan_execution import ExecutedPlan
from impossible_moments.evaluation.answers.thing_names import extract_word_stems
from impossible_moments.mechanics.execution import Move
from impossible_moments.mechanics.language import Expression

FEWEST_COMPARED_FIGURES: Final = 2
"""Figures of one condition that a line must contain: what is available and what is needed."""
MOST_FIGURES: Final = 5
"""Maximum figures of a line, so that a recital of all figures does not count as a comparison."""
CLAIMS_PER_WINDOW: Final = 3
"""Number of consecutive claims that are read as one line."""
MOST_WORDS: Final = 150
MOST_IN_A_LINE: Final = 30
MANY_CHOICES: Final = 3
"""Number of calls with a choice of things that are not all right by chance."""
ALTERNATIVES: Final = 2
"""Number of other things that an answer must reject, each in a line of its own."""
_SAME_INSIGHT: Final = 0.4
_CLAUSE: Final = re.compile(r"[;:]\s")


def has_plan_justification(answer: ParsedAnswer, executed_plan: ExecutedPlan, key: AnswerKey) -> bool:
    """Check whether an answer gives a reason for the executed plan `executed_plan`."""
    moves = executed_plan.moves
    return (
        _makes_many_right_choices(executed_plan, key)
        or _answers_puzzle(executed_plan, key)
        or _compares_figures_in_reasons(answer, moves, key)
        or _states_insight_in_reasons(answer, moves, key)
        or _mentions_alternatives_in_reasons(answer, moves, key)
    )


def _makes_many_right_choices(executed_plan: ExecutedPlan, key: AnswerKey) -> bool:
    """Check whether the plan makes many right choices, all of them stated and without repair."""
    choices = [
        move for move in dict.fromkeys(executed_plan.moves) if key.competing_things & set(move.arguments)
    ]
    return not executed_plan.was_repaired and len(choices) >= MANY_CHOICES


def _answers_puzzle(executed_plan: ExecutedPlan, key: AnswerKey) -> bool:
    """Check whether the plan answers a puzzle correctly, with no implicit calls inserted."""
    return (
        bool(key.analysis.world.puzzles)
        and not executed_plan.implicit_moves
        and any(move.verb == "answer" for move in executed_plan.moves)
    )


def _compares_figures_in_reasons(answer: ParsedAnswer, moves: Sequence[Move], key: AnswerKey) -> bool:
    world = key.analysis.world
    compared_quantities = [_find_printed_quantities(test.tree, key) for move in moves for test in move.tests]
    limits = _find_printed_quantities(world.deadline, key) if world.deadline is not None else frozenset()
    # a duration is compared with the deadline, or with the figures it is computed from
    compared_quantities += [_find_printed_quantities(move.takes_tree, key) | limits for move in moves]
    compared_quantities += [key.conditions.get_quantity_paths(each.name) for each in world.never_rules]
    return any(
        len(find_mentioned_quantities(line, paths, world).paths) >= FEWEST_COMPARED_FIGURES
        for line in _iterate_reason_lines(answer)
        if FEWEST_COMPARED_FIGURES <= len(extract_figures_of_line(line)) <= MOST_FIGURES
        for paths in compared_quantities
        if len(paths) >= FEWEST_COMPARED_FIGURES
    )


def _states_insight_in_reasons(answer: ParsedAnswer, moves: Sequence[Move], key: AnswerKey) -> bool:
    words = extract_word_stems(" ".join(answer.because))
    shown_insights = [each for each in key.insights if each.is_shown_by(tuple(move.text for move in moves))]
    return len(words) <= MOST_WORDS and any(
        len(extract_word_stems(each.text) & words) >= _SAME_INSIGHT * len(extract_word_stems(each.text))
        for each in shown_insights
    )


def _mentions_alternatives_in_reasons(answer: ParsedAnswer, moves: Sequence[Move], key: AnswerKey) -> bool:
    """Check whether the reasons mention enough other usable things, each in a line of its own."""
    used_things = {name for move in moves for name in move.arguments}
    alternatives = key.competing_things - used_things
    found: set[str] = set()
    held_back = (
        f"{thing} {step.value}"
        for step in answer.plan
        if step.value and "skip" in find_common_verbs_for_answer_phrase(step.do)
        for thing in step.things
    )
    figures = (f"{name}: {value}" for name, value in answer.claims.items())
    for line in (*answer.because, *answer.conflict, *held_back, *figures):
        named = key.names.find_mentioned_things(line) & alternatives
        if len(named) == 1 and len(extract_word_stems(line)) <= MOST_IN_A_LINE:
            found |= named
    return len(found) >= ALTERNATIVES


def _find_printed_quantities(tree: Expression, key: AnswerKey) -> frozenset[str]:
    world = key.analysis.world
    return frozenset(
        path
        for path in world.collect_stated_quantities(tree)
        if compute_printed_value(world.quantities.get(path)) is not None
    )


def _iterate_reason_lines(answer: ParsedAnswer) -> Iterator[str]:
    for text in (*answer.because, *answer.conflict, *(step.value for step in answer.plan)):
        yield from _CLAUSE.split(text)
    # claims are separate entries; consecutive ones are joined so that their figures can be compared
    claims = list(answer.claims.values())
    yield from (" ".join(claims[at : at + CLAIMS_PER_WINDOW]) for at in range(len(claims)))
