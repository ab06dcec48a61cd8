"""Plans played: the most charitable reading of their words, and nothing that they do not say."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerStep
from impossible_moments.evaluation.answers.plan_execution import (
    MOST_DOUBTS,
    ExecutedPlan,
    execute_plan_in_best_reading,
)
from support.scored_scenarios import build_golden_key, build_small_key
from support.small_worlds import build_action, build_approach, build_thing

SMASH = AnswerStep("break", ("a steel folding chair", "the window"))
SHOVE = AnswerStep("move", ("an oak table",))
CLIMB = AnswerStep("climb", ("an oak table", "the window"))


def play(*plan: AnswerStep, record: str = "blast_room") -> ExecutedPlan:
    return execute_plan_in_best_reading(plan, build_golden_key(record))


def test_a_plan_that_says_everything_reaches_the_goal() -> None:
    found = play(SMASH, SHOVE, CLIMB)
    assert found.outcome.end == "goal"
    assert (
        found.calls
        == found.executed_calls
        == ("smash(chair, window)", "shove(table)", "climb_from(table, window)")
    )


@pytest.mark.parametrize(
    "plan",
    [
        (),
        (SMASH,),
        (SHOVE, CLIMB),
        (SMASH, SHOVE),
        (CLIMB,),
        (SMASH, SHOVE, AnswerStep("climb", ("the walls",))),
    ],
    ids=["nothing", "smash alone", "no smash", "no climb", "climb alone", "wrong wall"],
)
def test_what_a_plan_leaves_out_is_not_added_unless_it_is_read_loosely(plan: tuple[AnswerStep, ...]) -> None:
    found = play(*plan)
    assert not found.outcome.reaches_goal or found.read_loosely


def test_an_empty_plan_stays_where_it_is() -> None:
    found = play()
    assert (found.moves, found.outcome.end, found.unknown, found.idle_steps) == ((), "short", (), ())


def test_a_step_that_nothing_comes_of_is_idle_and_does_no_harm() -> None:
    idle = AnswerStep("cool", ("a banana",))
    found = play(SMASH, idle, SHOVE, CLIMB)
    assert found.idle_steps == (idle,)
    assert found.outcome.reaches_goal


def test_a_verb_that_nobody_knows_is_set_apart() -> None:
    strange = AnswerStep("levitate", ("an oak table",))
    found = play(strange, SMASH)
    assert found.unknown == (strange,)
    assert found.calls == ("smash(chair, window)",)


def test_a_step_that_is_tried_and_fails_is_forgiven_by_a_loose_reading_alone() -> None:
    found = play(AnswerStep("break", ("the door",)), SMASH, SHOVE, CLIMB)
    assert found.read_loosely or not found.outcome.reaches_goal


def test_a_plan_that_fails_ends_where_it_fails() -> None:
    found = play(SMASH, AnswerStep("break", ("the door",)))
    assert found.executed_calls == ("smash(chair, window)",)
    assert found.outcome.end.startswith("blocked")


def test_an_ambiguous_name_is_read_in_favour_of_the_plan() -> None:
    key = build_small_key(
        quantities=["work = 5[s]", "least = 10[kg]"],
        things=[
            build_thing("light", "mass = 1[kg]", label="a grey stone"),
            build_thing("heavy", "mass = 20[kg]", label="a brown stone"),
            build_thing("plate", "down = false"),
        ],
        actions=[
            build_action("put_upon(s: object, p: plate)", "p.down = true", when=("enough = s.mass >= least",))
        ],
        goal="plate.down",
        approaches=[build_approach("way", "put_upon(heavy, plate)")],
    )
    put = AnswerStep("put", ("a stone", "the plate"))
    assert execute_plan_in_best_reading((put,), key).calls == ("put_upon(heavy, plate)",)
    assert not execute_plan_in_best_reading(
        (AnswerStep("put", ("a grey stone", "the plate")),), key
    ).outcome.reaches_goal
    assert not execute_plan_in_best_reading(
        (AnswerStep("put", ("a grey stone and a brown stone", "the plate")),), key
    ).outcome.reaches_goal


# premises

QUOTE = "Whoever is on it crosses, and whoever is not stays"
HANG_ON = AnswerStep("hold", ("you", "the raft"))


def test_a_premise_stands_until_it_is_challenged() -> None:
    assert not play(HANG_ON, record="whoever_is_on_it").outcome.reaches_goal
    found = play(AnswerStep("challenge", (), QUOTE), HANG_ON, record="whoever_is_on_it")
    assert found.outcome.reaches_goal
    assert found.challenged == (QUOTE,)


def test_who_doubts_every_line_has_found_none() -> None:
    doubts = [AnswerStep("challenge", (), f"line {at} of the text") for at in range(MOST_DOUBTS)]
    found = play(*doubts, AnswerStep("challenge", (), QUOTE), HANG_ON, record="whoever_is_on_it")
    assert found.challenged == ()
    assert not found.outcome.reaches_goal


def test_only_premises_can_be_challenged() -> None:
    key = build_golden_key("walking_pace")
    never = key.analysis.world.never_rules[0]
    plan = (
        AnswerStep("challenge", (), never.evidence or never.name),
        AnswerStep("throw", ("the points lever",)),
    )
    assert not execute_plan_in_best_reading(plan, key).outcome.reaches_goal


def test_the_same_plan_is_always_played_the_same() -> None:
    plan = (SMASH, AnswerStep("use", ("table",)), CLIMB)
    assert play(*plan).outcome.steps == play(*plan).outcome.steps
