"""Scores line by line: the rubric of each status with totals computed by hand, on golden records."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation import (
    REFUTED,
    InterpretedAnswer,
    InterpretedStep,
    OfferedChoices,
    StepKind,
    score_interpreted_answer,
)
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from support.scored_scenarios import build_golden_key

SMASH, SHOVE, CLIMB = "smash(chair, window)", "shove(table)", "climb_from(table, window)"


def steps(*calls: str, near_misses: int = 0) -> tuple[InterpretedStep, ...]:
    missed = InterpretedStep("something else", StepKind.NEAR_MISS)
    return (*(InterpretedStep(call, StepKind.CALL, call) for call in calls), *(missed,) * near_misses)


def score(
    name: str,
    *calls: str,
    verdict: AnswerVerdict = AnswerVerdict.SOLVABLE,
    near_misses: int = 0,
    **fields: Any,
) -> ScoredAnswer:
    answer = InterpretedAnswer(verdict=verdict, steps=steps(*calls, near_misses=near_misses), **fields)
    return score_interpreted_answer(answer, build_golden_key(name))


def parts(found: ScoredAnswer) -> tuple[float, ...]:
    """Outcome, physical, insight, distractors, efficiency."""
    assert found.components is not None, found.note
    return tuple(found.components.model_dump().values())


# KS


def test_a_near_miss_costs_efficiency_alone() -> None:
    # 40 + 25 + 20 + 10 + 5 * 3/4
    found = score("blast_room", SMASH, SHOVE, CLIMB, near_misses=1)
    assert parts(found) == (100, 100, 100, 100, 75)
    assert found.score == pytest.approx(98.75)


def test_a_plan_among_many_acts_is_no_answer() -> None:
    found = score("blast_room", SMASH, SHOVE, CLIMB, near_misses=4)
    assert (found.score, found.flags) == (0, ("shotgun",))


def test_the_order_of_independent_steps_does_not_matter() -> None:
    assert score("blast_room", SHOVE, SMASH, CLIMB).score == 100


def test_each_further_way_adds_ten_to_insight() -> None:
    key = build_golden_key("bore_that_sings")
    ways = [
        tuple(move.text for move in key.analysis.plans[name])
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    ]
    alone = score("bore_that_sings", *ways[0])
    both = score("bore_that_sings", *ways[0], other_plans=(steps(*ways[1]),))
    twice = score("bore_that_sings", *ways[0], other_plans=(steps(*ways[1]), steps(*ways[1])))
    again = score("bore_that_sings", *ways[0], other_plans=(steps(*ways[0]),))
    assert parts(both)[2] - parts(alone)[2] == 10
    assert parts(twice)[2] == parts(both)[2]
    assert parts(again)[2] == parts(alone)[2]


@pytest.mark.parametrize(("record", "scored"), [("the_good_track", 100), ("blast_room", 0)])
def test_only_a_fragile_plan_may_be_called_contested(record: str, scored: float) -> None:
    key = build_golden_key(record)
    way = next(
        tuple(move.text for move in key.analysis.plans[name])
        for name, outcome in key.analysis.outcomes.items()
        if outcome.reaches_goal
    )
    assert score(record, *way).score == 100
    assert score(record, *way, verdict=AnswerVerdict.CONTESTED).score == scored


# DG


@pytest.mark.parametrize(
    ("tokens", "factor"),
    [(199, 1.0), (200, 0.8), (499, 0.8), (500, 0.6), (999, 0.6), (1000, 0.4), (9000, 0.4)],
)
def test_the_longer_the_answer_the_less_a_simple_way_is_worth(tokens: int, factor: float) -> None:
    key = build_golden_key("walking_pace")
    way = next(name for name, outcome in key.analysis.outcomes.items() if outcome.reaches_goal)
    calls = [move.text for move in key.analysis.plans[way]]
    found = score("walking_pace", *calls, answer_tokens=tokens)
    assert parts(found)[0] == pytest.approx(100 * factor)


# PX: The Welder's Cage

CONFLICTS = ("haul.rope_bears", "pound.shears", "melt_free.melts", "melt_through.melts", "plug.held")


def deny(*conditions: str, asides: int = 0) -> ScoredAnswer:
    reasons = (*(frozenset({each}) for each in conditions), *(frozenset[str](),) * asides)
    return score("sealed_cage", verdict=AnswerVerdict.IMPOSSIBLE, conflict=reasons, is_argued=True)


def test_all_that_conflicts_named_is_everything() -> None:
    assert (deny(*CONFLICTS).score, parts(deny(*CONFLICTS))) == (100, (100, 100, 100, 100, 100))


def test_a_bare_verdict_earns_a_quarter_of_its_points() -> None:
    # 40 * 1/4, and nothing else
    assert (deny().score, parts(deny())) == (4, (10, 0, 0, 0, 0))


def test_where_serious_attempts_break_counts_most() -> None:
    # one of two attempts and one of three others: 0.85/2 + 0.15/3
    assert parts(deny("haul.rope_bears", "plug.held"))[2] == pytest.approx(47.5)


def test_one_reason_in_four_may_be_about_something_else() -> None:
    assert parts(deny(*CONFLICTS, asides=1))[0] == 100


def test_an_argument_may_have_as_many_further_reasons_as_reasons_of_the_conflict() -> None:
    assert parts(deny(*CONFLICTS, asides=5))[0] == 100


def test_more_reasons_about_something_else_lower_the_points() -> None:
    # five reasons beyond the allowed five weigh a half each: 40 + 60 * 5/7.5
    assert parts(deny(*CONFLICTS, asides=10))[0] == pytest.approx(80)


def test_a_refuted_reason_outweighs_two_true_ones() -> None:
    reasons = (*(frozenset({each}) for each in CONFLICTS), REFUTED)
    found = score("sealed_cage", verdict=AnswerVerdict.IMPOSSIBLE, conflict=reasons, is_argued=True)
    # 40 + 60 * 5/7
    assert parts(found)[:2] == pytest.approx((40 + 300 / 7, 500 / 7))


def test_what_stops_the_serious_attempts_names_the_conflict() -> None:
    # assertion 40, conflict 30, rigour 30 * 0.85/2
    share = 0.85 / 2
    assert parts(deny("haul.rope_bears"))[0] == pytest.approx(
        40 * (0.25 + 0.75 * share / 0.5) + 30 + 30 * share
    )


def test_a_further_condition_chosen_from_a_menu_is_a_wrong_choice() -> None:
    # five of ten choices count, of which eight are compared: 40 + 60 * 5/8
    reasons = (*(frozenset({each}) for each in CONFLICTS), *(frozenset[str](),) * 5)
    offered = OfferedChoices(calls=frozenset(), acts=10, premises=4, conditions=10, uncertainties=4)
    found = score("sealed_cage", verdict=AnswerVerdict.IMPOSSIBLE, conflict=reasons, offered=offered)
    assert found.score is not None
    assert found.score < 80


def test_a_proposed_solution_of_a_paradox_earns_nothing() -> None:
    found = score("sealed_cage", "force_open(door)")
    assert (found.score, found.flags) == (0, ("false solution",))


# MT: Whoever Is on It


def test_the_wrong_assumption_is_none() -> None:
    assert parts(score("whoever_is_on_it", "wait(1[s])", names_decoy=True))[0] == 0


def test_impossible_without_the_assumption_is_giving_up() -> None:
    found = score("whoever_is_on_it", verdict=AnswerVerdict.IMPOSSIBLE)
    assert (found.score, found.flags) == (0, ("gave up",))
