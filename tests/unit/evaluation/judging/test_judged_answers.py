"""What judges' points come to, for answers in plain words and over a batch."""

from __future__ import annotations

from dataclasses import replace

import pytest

from impossible_moments.evaluation.judging.judgement_aggregation import needs_judges
from impossible_moments.evaluation.results import RunState, ScoreComponents
from impossible_moments.evaluation.scored_answer import ScoredAnswer
from impossible_moments.evaluation.scoring import score_answer
from support.judge_scripts import (
    CONTESTED,
    FREE,
    PLAN_OF_ICE,
    QUOTE,
    Judge,
    ScriptedPanel,
    build_contested_verdict,
    build_judges,
    build_key,
    build_known_verdict,
    build_verdict,
    require_components,
)
from support.model_conversations import BOTH_PROTOCOLS
from support.scored_scenarios import build_answer, build_right_answer, build_step


def test_a_free_answer_is_judged_in_all_five_components() -> None:
    whole = build_known_verdict(
        100,
        statements=[{"quote": "the air holds me up", "holds": True, "why": "So."}],
        insights=[{"number": 1, "quote": "A small body weighs little for its surface"}],
        steps=[
            {"quote": "I step off the sill", "needed": True},
            {"quote": "the air holds me", "needed": False},
        ],
    )
    judgement = ScriptedPanel(build_judges(whole, whole)).judge_answer("twelve_metres", FREE)
    assert require_components(judgement) == ScoreComponents(
        outcome=100, physical=100, insight=100, distractors=100, efficiency=50
    )


def test_entries_without_quotes_or_of_no_list_do_not_count() -> None:
    whole = build_known_verdict(
        100,
        statements=[
            {"quote": "the air holds me up", "holds": False, "why": "So."},
            {"quote": "made up by the judge", "holds": True, "why": "So."},
        ],
        insights=[{"number": 7, "quote": FREE}, {"number": 1, "quote": "made up by the judge"}],
        distractors=[{"number": 1, "quote": "I climb down the old ivy"}, {"number": 99, "quote": FREE}],
    )
    found = require_components(ScriptedPanel(build_judges(whole, whole)).judge_answer("twelve_metres", FREE))
    assert (found.physical, found.insight, found.distractors) == (0, 0, 100)


def test_who_earns_nothing_has_avoided_no_distractor() -> None:
    found = require_components(
        ScriptedPanel(build_judges(build_known_verdict(0, ""), build_known_verdict(0, ""))).judge_answer(
            "twelve_metres", "I give up, really."
        )
    )
    assert (found.outcome, found.distractors, found.efficiency) == (0, 0, 0)


@pytest.mark.parametrize(
    ("points", "outcome"), [((30, 30, 40), 100), ((0, 30, 40), 40), ((10, 0, 40), 50), ((0, 0, 20), 20)]
)
def test_solved_without_naming_the_assumption_earns_forty_at_most(
    points: tuple[float, ...], outcome: float
) -> None:
    text = "I hang on to the raft and swim along."
    given = build_verdict("MT", points, "hang on to the raft")
    assert (
        require_components(
            ScriptedPanel(build_judges(given, given)).judge_answer("whoever_is_on_it", text)
        ).outcome
        == outcome
    )


def test_a_solution_of_what_cannot_be_solved_takes_the_outcome_and_some_validity() -> None:
    text = "It is hard, and yet the candle melts the bolts."
    more = {"statements": [{"quote": "the candle melts the bolts", "holds": True, "why": "So."}]}
    given = build_verdict("PX", (40, 30, 30, 1), "the candle melts the bolts", **more)
    judgement = ScriptedPanel(build_judges(given, given)).judge_answer("sealed_cage", text)
    assert (require_components(judgement).outcome, require_components(judgement).physical) == (0, 80)
    assert "false solution" in judgement.scored.flags


def test_an_impossibility_that_is_argued_earns_the_sum_of_its_lines() -> None:
    given = build_verdict("PX", (40, 15, 20, 0), "cannot be done")
    judgement = ScriptedPanel(build_judges(given, given)).judge_answer(
        "sealed_cage", "It cannot be done: the bolts hold."
    )
    assert require_components(judgement).outcome == 75


@pytest.mark.parametrize(("length", "outcome"), [(10, 100), (300, 80), (700, 60), (1500, 40)])
def test_the_simple_answer_earns_less_the_longer_it_is(length: int, outcome: float) -> None:
    text = "I call out to them. " + "abc " * (length - 5)
    given = build_verdict("DG", (100,), "I call out to them")
    assert (
        require_components(
            ScriptedPanel(build_judges(given, given)).judge_answer("walking_pace", text)
        ).outcome
        == outcome
    )


def test_judges_are_needed_only_where_execution_leaves_something_open() -> None:
    twelve, nine, ice = build_key("twelve_metres"), build_key("bin_nine"), build_key("ice_at_noon")
    assert not needs_judges(score_answer(build_right_answer(twelve), twelve))
    assert not needs_judges(score_answer(build_right_answer(nine), nine))
    assert not needs_judges(score_answer("", nine))
    assert not needs_judges(ScoredAnswer(RunState.UNSCORED, note="the provider failed"))
    assert not needs_judges(score_answer(CONTESTED, nine))
    assert needs_judges(score_answer(build_answer(build_step("levitate", "the grain")), nine))
    assert needs_judges(score_answer(PLAN_OF_ICE, ice))
    assert needs_judges(replace(score_answer(CONTESTED, nine), state=RunState.REVIEW))
    assert needs_judges(ScoredAnswer(RunState.UNSCORED, flags=("for judges",)))


@BOTH_PROTOCOLS
@pytest.mark.parametrize("strange", ["\ud83d", "\x00", "\u202e", "{}", "{0} {answer}", "x" * 60_000])
def test_answers_of_strange_signs_are_judged_like_others(protocol: str, strange: str) -> None:
    bench = ScriptedPanel(build_judges(build_known_verdict(100), build_known_verdict(100)), protocol=protocol)
    assert require_components(bench.judge_answer("twelve_metres", f"{FREE} {strange}")).outcome == 100


# Batches


def test_where_the_first_two_agree_too_little_over_a_batch_a_third_reads_everything() -> None:
    """They never differ by more than is tolerated, and what one finds better the other finds worse."""
    verdicts = [
        build_verdict("CT", each, QUOTE) for each in ((32, 20, 16, 20), (40, 16, 20, 16), (32, 16, 16, 16))
    ]
    bench = ScriptedPanel(build_judges(*verdicts))
    found, agreement = bench.judge_answers([("bin_nine", CONTESTED)] * 3)
    assert agreement.kappa is not None
    assert agreement.kappa < 0.7
    assert bench.count_requests("judge-3") == 3
    assert {require_components(each).outcome for each in found} == {80}
    assert "a third judge read all answers" in agreement.note


def test_where_they_agree_nobody_else_is_asked_and_leniency_is_told() -> None:
    def lenient(by: float) -> Judge:
        return lambda question: build_contested_verdict(
            tuple(each + by for each in ((0, 10, 16) if "blow" in question.messages[0].text else (16, 0, 8)))
        )

    bench = ScriptedPanel(build_judges(lenient(2), lenient(0), lenient(0)))
    found, agreement = bench.judge_answers([("bin_nine", CONTESTED)] * 3)
    assert agreement.kappa is not None
    assert agreement.kappa > 0.9
    assert (bench.count_requests("judge-3"), agreement.note) == (0, "")
    tilt = [agreement.leniency[each.judge] for each in found[0].opinions]
    assert tilt == pytest.approx([0.0375, -0.0375])


def test_too_few_answers_give_no_figure_of_agreement() -> None:
    _, agreement = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(100))
    ).judge_answers([("twelve_metres", FREE)])
    assert (agreement.kappa, agreement.alpha, set(agreement.leniency.values())) == (None, None, {None})
