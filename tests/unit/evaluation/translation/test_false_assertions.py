"""Pairs of answers: a right one, and one that asserts something false on which it rests. Leaving it out is not asserting it."""

from __future__ import annotations

from typing import Any

import pytest

from impossible_moments.evaluation.answers.answer_parser import AnswerVerdict
from impossible_moments.evaluation.interpretation import (
    InterpretedAnswer,
    InterpretedStep,
    StepKind,
    score_interpreted_answer,
)
from impossible_moments.evaluation.interpretation.false_claims import list_wrong_conclusions
from impossible_moments.evaluation.results import RunState
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.translation import AnswerInterpretation, build_coded_record
from impossible_moments.evaluation.translation.contradictions import ContradictionJudge, Standing
from impossible_moments.evaluation.translation.reading_forms import Contradiction
from support.scored_scenarios import build_golden_key
from support.worded_scenarios import (
    GRATE_ANSWER,
    ScriptedTranslation,
    build_call,
    build_fish,
    build_grate_key,
    build_reading,
    build_tie,
    build_worded_golden_key,
    find_statement,
    refuse_lines_with,
)

SITUATION = "Your keys lie 1.2 m below the grate"
"""Words of the situation of the keys under the grate."""


def get_outcome(found: AnswerInterpretation | ScoredAnswer, key: Any = None) -> float:
    scored = found.compute_score(key) if isinstance(found, AnswerInterpretation) else found
    assert scored.components is not None, scored.note
    return scored.components.outcome


# KS: a fact of the situation

KS = build_grate_key()


def read_grate(fact: str, situation: str = SITUATION, **more: Any) -> ScriptedTranslation:
    contradictions = [{"quote": fact, "situation": situation}] if fact else []
    return ScriptedTranslation(
        build_reading(build_tie(), build_fish(), contradictions=contradictions, **more)
    )


def test_a_plan_that_works_passes_without_figures() -> None:
    assert get_outcome(read_grate("").interpret(KS, GRATE_ANSWER), KS) == 100


def test_a_wrong_figure_on_which_the_plan_depends_keeps_it_from_passing() -> None:
    text = f"{GRATE_ANSWER} The keys lie 4.5 m down."
    found = read_grate("The keys lie 4.5 m down").interpret(KS, text)
    scored = found.compute_score(KS)
    assert get_outcome(scored) == 60
    assert "false claim" in scored.flags
    assert "'The keys lie 4.5 m down'" in scored.note
    assert scored.components is not None
    assert scored.components.physical == pytest.approx(200 / 3)


@pytest.mark.parametrize("fact", ["The keys lie 120 cm down", "The keys lie about 1.2 m down"])
def test_units_and_rounding_are_no_false_claims(fact: str) -> None:
    scored = read_grate(fact).interpret(KS, f"{GRATE_ANSWER} {fact}.").compute_score(KS)
    assert scored.state is RunState.REVIEW
    judge = ContradictionJudge(KS, f"{SITUATION}.")
    assert judge.judge(Contradiction(quote=fact, situation=SITUATION), ()) is Standing.OPEN


def test_a_wrong_figure_of_something_else_costs_only_physical_validity() -> None:
    judge = ContradictionJudge(KS, "The umbrella is 0.9 m long. The train goes in 8 min.")
    claim = Contradiction(quote="the umbrella is 2.4 m long", situation="The umbrella is 0.9 m long")
    assert judge.judge(claim, ("tie(magnet, lace)", "fish(magnet, keys)")) is Standing.ASIDE
    claim = Contradiction(quote="the train goes in 90 min", situation="The train goes in 8 min")
    assert judge.judge(claim, ("tie(magnet, lace)", "fish(magnet, keys)")) is Standing.DECIDES


def test_a_contradiction_in_words_alone_is_left_for_review() -> None:
    text = f"{GRATE_ANSWER} The keys lie beside the grate."
    scored = read_grate("The keys lie beside the grate").interpret(KS, text).compute_score(KS)
    assert scored.state is RunState.REVIEW
    assert "the situation says" in scored.note


def test_a_contradiction_that_the_second_pass_refuses_counts_for_nothing() -> None:
    text = f"{GRATE_ANSWER} The keys lie 4.5 m down."
    translation = read_grate("The keys lie 4.5 m down")
    translation.review = refuse_lines_with("4.5 m")
    assert get_outcome(translation.interpret(KS, text), KS) == 100


def test_words_that_are_not_in_the_situation_contradict_nothing() -> None:
    text = f"{GRATE_ANSWER} The keys lie 4.5 m down."
    found = read_grate("The keys lie 4.5 m down", "Your keys lie 0.2 m below the grate").interpret(KS, text)
    assert get_outcome(found, KS) == 100


@pytest.mark.parametrize(("time", "is_doubted"), [("2 min", False), ("8 min", False), ("3 h", True)])
def test_a_time_that_the_plan_does_not_take_is_left_for_review(time: str, *, is_doubted: bool) -> None:
    text = f"{GRATE_ANSWER} It takes {time} in all."
    stated = {"value": time, "quote": f"It takes {time} in all"}
    scored = read_grate("", plan_time=stated).interpret(KS, text).compute_score(KS)
    assert (scored.state is RunState.REVIEW) is is_doubted, scored.note


# PX: a fact of the conflict

PX = build_grate_key("PX")
CODES = build_coded_record(PX).conditions


@pytest.mark.parametrize(("length", "passes"), [("1.0 m", True), ("0.2 m", False)])
def test_a_wrong_fact_of_the_conflict_keeps_a_proof_from_passing(length: str, *, passes: bool) -> None:
    text = f"It is impossible: an arm reaches 0.7 m of the 1.2 m, and the lace is {length} and too short."
    reasons = [
        {
            "quote": quote,
            "conditions": [find_statement(CODES, words)],
            "figures": [{"figure": figure, "given_as": "fact"}],
        }
        for quote, words, figure in (
            ("an arm reaches 0.7 m of the 1.2 m", "an arm reaches", "0.7 m"),
            (f"the lace is {length} and too short", "the line reaches", length),
        )
    ]
    form = {
        "verdict": "impossible",
        "verdict_quote": "It is impossible",
        "plan": [],
        "reasons": reasons,
    }
    assert (get_outcome(ScriptedTranslation(form).interpret(PX, text), PX) >= 80) is passes


# CT: the value at which one would choose otherwise

BIN = build_worded_golden_key(
    "bin_nine",
    actions=[
        {
            "call": "start",
            "menu": "Start {f}",
            "deed": "{f} is started.",
            "needs_said": ["started = start | run"],
        },
        {"call": "seal", "menu": "Shut it", "deed": "Everything is shut.", "needs_said": ["shut = shut"]},
        {
            "call": "empty",
            "menu": "Empty it",
            "deed": "The bin is emptied.",
            "needs_said": ["emptied = empty"],
        },
    ],
    uncertainties=[
        "fanned = how much the air feeds the nest",
        "choked = how warm it gets shut",
        "unload = how long it takes",
    ],
)
BOTH = "It depends on how much air feeds the nest. If it is little, run the floor fan and empty the bin. If it is much, shut it and empty the bin."


def read_bin(
    value: str = "", quantity: str = "the air feeds", quote: str = "", relation: str = "limit"
) -> ScriptedTranslation:
    empty = build_call(BIN, "empty(auger)", "empty the bin", emptied="empty")
    blow = build_call(BIN, "start(fan)", "run the floor fan", started="run")
    choke = build_call(BIN, "seal(sheets)", "shut it and empty the bin", shut="shut")
    known = build_coded_record(BIN).uncertainties
    form: dict[str, Any] = {
        "verdict": "contested",
        "verdict_quote": "It depends on how much air",
        "plan": [blow, empty],
        "other_plans": [[choke, empty]],
        "crux": {
            "code": find_statement(known, "the air feeds"),
            "quote": "It depends on how much air feeds the nest",
        },
    }
    if value:
        form["turning_points"] = [
            {
                "code": find_statement(known, quantity),
                "value": value,
                "quote": quote or f"Above {value} I shut it",
                "relation": relation,
            }
        ]
    return ScriptedTranslation(form)


@pytest.mark.parametrize(
    "value", ["", "2.2 K/h", "2.5 K/h", "2 K/h to 2.3 K/h", "0.037 K/min", "2.2 K an hour"]
)
def test_a_right_turning_point_or_none_keeps_all_points(value: str) -> None:
    # 2.225 K/h is where the other plan is better, 2.458 K/h where the first one fails
    text = f"{BOTH} Above {value} I shut it." if value else BOTH
    assert get_outcome(read_bin(value).interpret(BIN, text), BIN) == 100


@pytest.mark.parametrize("value", ["1.2 K/h", "0.4 K/h", "0.06 K/min"])
def test_a_wrong_turning_point_loses_the_crux_and_does_not_pass(value: str) -> None:
    scored = read_bin(value).interpret(BIN, f"{BOTH} Above {value} I shut it.").compute_score(BIN)
    assert get_outcome(scored) == 60
    assert "false claim" in scored.flags
    assert "the choice changes at 2.2" in scored.note


@pytest.mark.parametrize("value", ["0.1 K/h", "3 wisps", "37 mK/min"])
def test_an_end_of_the_dispute_and_a_value_that_cannot_be_compared_are_left_for_review(value: str) -> None:
    scored = read_bin(value).interpret(BIN, f"{BOTH} Above {value} I shut it.").compute_score(BIN)
    assert scored.state is RunState.REVIEW
    assert value in scored.note


@pytest.mark.parametrize(
    ("value", "outcome"), [("0.1 K/h", 100), ("2.4 K/h", 100), ("3 K/h", 100), ("1.2 K/h", 60)]
)
def test_a_supposed_value_is_true_wherever_another_plan_is_better(value: str, outcome: float) -> None:
    found = read_bin(value, quote=f"At {value} I shut it", relation="supposed")
    assert get_outcome(found.interpret(BIN, f"{BOTH} At {value} I shut it."), BIN) == outcome


@pytest.mark.parametrize(
    ("value", "quantity"), [("9 h", "the air feeds"), ("1.2 K/h", "how warm it gets shut")]
)
def test_values_of_other_quantities_are_not_compared_with_the_crux(value: str, quantity: str) -> None:
    found = read_bin(value, quantity).interpret(BIN, f"{BOTH} Above {value} I shut it.")
    assert get_outcome(found, BIN) == 100


# MT: a second assumption beside the right one

RAFT = build_worded_golden_key(
    "whoever_is_on_it",
    actions=[
        {
            "call": "hang_on",
            "menu": "Hang on",
            "deed": "{a} hangs on to {r} in the water.",
            "needs_said": ["who = {a}", "hung = hang on"],
        }
    ],
    premises=["wet = whoever is not on the raft stays behind"],
    decoy_premises=["the raft carries two", "the boy cannot swim", "time is short"],
)
SWIM = "Nobody says that all must be on the raft. It works: you hang on to the raft in the water while they paddle."


@pytest.mark.parametrize(
    ("further", "state"), [("", RunState.SCORED), ("the raft carries two", RunState.REVIEW)]
)
def test_a_second_wrong_assumption_is_left_for_review(further: str, state: RunState) -> None:
    codes = build_coded_record(RAFT).premises
    form: dict[str, Any] = {
        "verdict": "solvable",
        "verdict_quote": "It works: you hang on",
        "plan": [
            build_call(RAFT, "hang_on(you, raft)", "you hang on to the raft", who="you", hung="hang on")
        ],
        "premise": {
            "code": find_statement(codes, "stays behind"),
            "quote": "Nobody says that all must be on the raft",
        },
    }
    quote = "And nothing says that it carries only two"
    if further:
        form["further_premises"] = [{"code": find_statement(codes, further), "quote": quote}]
    scored = ScriptedTranslation(form).interpret(RAFT, f"{SWIM} {quote}.").compute_score(RAFT)
    assert scored.state is state, scored.note


# DG and puzzles: a wrong conclusion beside acts that work

LAMP = build_golden_key("the_vacuum_lamp")


@pytest.mark.parametrize(("cause", "is_wrong"), [("power_line", False), ("battery", True), ("", False)])
def test_a_wrong_conclusion_is_a_false_claim(cause: str, *, is_wrong: bool) -> None:
    plan = next(
        plan
        for name, plan in LAMP.analysis.plans.items()
        if LAMP.analysis.outcomes[name].reaches_goal or name in getattr(LAMP.block, "outside", ())
    )
    others = [move.text for move in plan if not move.text.startswith("answer(")]
    calls = [f"answer(source, '{cause}')", *others] if cause else others
    steps = tuple(InterpretedStep(call, StepKind.CALL, call) for call in calls)
    answer = InterpretedAnswer(verdict=AnswerVerdict.SOLVABLE, steps=steps)
    assert bool(list_wrong_conclusions(answer, LAMP)) is is_wrong
    found = score_interpreted_answer(answer, LAMP)
    assert ("false claim" in found.flags) is is_wrong
    assert found.components is not None
    assert (found.components.outcome >= 80) is (cause == "power_line")
