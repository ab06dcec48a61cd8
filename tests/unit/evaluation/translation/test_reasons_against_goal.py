"""Reasons against the goal: the conditions that they name count, unless a fact in them is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from impossible_moments.evaluation.interpretation import REFUTED
from impossible_moments.evaluation.translation import build_coded_record
from impossible_moments.evaluation.translation.conflict_figures import find_contradicted_figure
from support.worded_scenarios import (
    GRATE_ANSWER,
    MIX_TWIN,
    ScriptedTranslation,
    build_bottles_key,
    build_fish,
    build_grate_key,
    build_reading,
    build_tie,
    find_statement,
)

# reasons against the goal

PX = build_grate_key("PX")
CODES = build_coded_record(PX).conditions
ARM, LINE = find_statement(CODES, "an arm reaches"), find_statement(CODES, "the line reaches")
WHY = "It is impossible: an arm reaches only 0.7 m of the 1.2 m, and the lace is 1.0 m and too short."


def build_reason(
    quote: str, *codes: str, facts: tuple[str, ...] = (), results: tuple[str, ...] = ()
) -> dict[str, Any]:
    figures = [{"figure": each, "given_as": "fact"} for each in facts]
    figures += [{"figure": each, "given_as": "result"} for each in results]
    return {"quote": quote, "conditions": list(codes), "figures": figures}


def read_impossible(*reasons: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "verdict": "impossible",
        "verdict_quote": "It is impossible",
        "plan": [],
        "reasons": list(reasons),
    }


def test_reasons_with_right_figures_count() -> None:
    reasons = [
        build_reason("an arm reaches only 0.7 m of the 1.2 m", ARM, facts=("0.7 m", "1.2 m")),
        build_reason("the lace is 1.0 m and too short", LINE, facts=("1.0 m",)),
    ]
    found = ScriptedTranslation(read_impossible(*reasons)).interpret(PX, WHY)
    assert found.answer is not None
    assert found.answer.conflict == (frozenset({"reach_down.long_enough"}), frozenset({"tie.l"}))
    assert found.compute_score(PX).score == 100


def test_a_reason_with_a_wrong_fact_does_not_count() -> None:
    text = "It is impossible: an arm reaches only 0.3 m, and the lace is 1.0 m and too short."
    reasons = [
        build_reason("an arm reaches only 0.3 m", ARM, facts=("0.3 m",)),
        build_reason("the lace is 1.0 m and too short", LINE, facts=("1.0 m",)),
    ]
    found = ScriptedTranslation(read_impossible(*reasons)).interpret(PX, text)
    assert found.answer is not None
    assert found.answer.conflict == (REFUTED, frozenset({"tie.l"}))
    assert found.entries[1].reason == "'0.3 m' contradicts the situation"
    right = ScriptedTranslation(read_impossible(reasons[1])).interpret(PX, text).compute_score(PX)
    score, best = found.compute_score(PX).score, right.score
    assert score is not None
    assert best is not None
    assert score < best < 100


def test_a_result_of_the_answer_is_not_compared_with_facts() -> None:
    text = "It is impossible: 0.5 m is missing between the arm and the keys."
    reason = build_reason("0.5 m is missing between the arm and the keys", ARM, results=("0.5 m",))
    found = ScriptedTranslation(read_impossible(reason)).interpret(PX, text)
    assert found.answer is not None
    assert found.answer.conflict == (frozenset({"reach_down.long_enough"}),)


def test_a_figure_that_is_not_in_its_reason_is_refused() -> None:
    reason = build_reason("an arm reaches only 0.7 m", ARM, facts=("1.9 m",))
    found = ScriptedTranslation(read_impossible(reason)).interpret(PX, WHY)
    assert found.answer is not None
    assert found.answer.conflict == (frozenset(),)
    assert "'1.9 m' is not in the reason" in found.answer.unread[0]


def test_a_proposed_solution_of_an_impossible_scenario_scores_nothing() -> None:
    scored = (
        ScriptedTranslation(build_reading(build_tie(), build_fish()))
        .interpret(PX, GRATE_ANSWER)
        .compute_score(PX)
    )
    assert scored.components is not None
    assert scored.components.outcome == 0
    assert "false solution" in scored.flags


def test_the_twin_without_a_mixture_is_impossible() -> None:
    key = build_bottles_key(MIX_TWIN)
    codes = build_coded_record(key).conditions
    text = "It is impossible, because no mixture stays liquid at 33 K of frost."
    reason = build_reason(
        "no mixture stays liquid at 33 K of frost", find_statement(codes, "the mixture stays liquid")
    )
    scored = ScriptedTranslation(read_impossible(reason)).interpret(key, text).compute_score(key)
    assert scored.components is not None
    assert scored.components.outcome > 40


def test_a_figure_that_the_text_prints_is_never_wrong() -> None:
    # 0.3 m is no quantity of the record, but the situation prints it
    assert find_contradicted_figure(["0.3 m"], "reach_down.long_enough", PX) == "0.3 m"
    assert (
        find_contradicted_figure(["0.3 m"], "reach_down.long_enough", PX, situation="A step of 0.3 m.") == ""
    )


def test_a_reason_about_a_deed_that_works_is_refuted() -> None:
    key = build_grate_key("KS")
    codes = build_coded_record(key)
    works = next(each.code for each in codes.deeds if each.call == "tie(magnet, lace)")
    reason = build_reason(
        "the lace is 1.0 m and too short", find_statement(codes.conditions, "the line reaches")
    )
    bound = ScriptedTranslation(read_impossible({**reason, "deeds": [works]})).interpret(key, WHY)
    loose = ScriptedTranslation(read_impossible(reason)).interpret(key, WHY)
    assert bound.answer is not None
    assert loose.answer is not None
    assert (bound.answer.conflict, loose.answer.conflict) == ((REFUTED,), (frozenset({"tie.l"}),))
