"""Judges: quoted points count, everything else does not, and what cannot be settled has no score."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from impossible_moments.domain.vocabulary import Status
from impossible_moments.errors import ConfigurationError
from impossible_moments.evaluation.judging.answer_quotes import QuotableAnswer
from impossible_moments.evaluation.judging.judge_panel import JudgePanel
from impossible_moments.evaluation.judging.judge_prompts import extract_criteria
from impossible_moments.evaluation.judging.judge_verdicts import ASKED
from impossible_moments.evaluation.results import RunState
from impossible_moments.llm.api_keys import ApiKeys
from impossible_moments.llm.connection_pool import ConnectionPool
from impossible_moments.llm.model_references import parse_model_reference
from impossible_moments.llm.spending_limits import SpendingBudget
from support.judge_scripts import (
    CONTESTED,
    FREE,
    QUOTE,
    ScriptedPanel,
    build_contested_verdict,
    build_judges,
    build_known_verdict,
    build_lines,
    build_verdict,
    make_judge,
    require_components,
)
from support.model_conversations import BOTH_PROTOCOLS
from support.providers import faults
from support.providers.conversation import Question, Reply
from support.providers.faults import Break, Fault


def told(question: Question) -> str:
    return "\n".join((question.last_message.text, *(result.text for result in question.last_message.results)))


# What is asked


@pytest.mark.parametrize(
    ("status", "whole"), [("KS", 100), ("CT", 100), ("OF", 30), ("PX", 101), ("MT", 100), ("DG", 100)]
)
def test_the_lines_that_judges_are_asked_for_are_those_of_the_rubric(status: Status, whole: int) -> None:
    """For PX the question whether a solution is proposed is one more, of one point."""
    assert sum(each.most for each in ASKED[status]) == whole


@BOTH_PROTOCOLS
def test_a_judge_reads_the_blind_text_the_record_and_the_answer_and_nothing_of_who_answered_or_judges(
    protocol: str,
) -> None:
    bench = ScriptedPanel(
        build_judges(build_contested_verdict((20, 20, 20)), build_contested_verdict((20, 20, 20))),
        protocol=protocol,
    )
    bench.judge_answer(
        "bin_nine", CONTESTED, document="# E\n\n## Best Known Approaches\n\n- It names the fan.\n"
    )
    read = bench.heard[0].messages[0].text
    assert "HANDOVER, NIGHT TO DAY" in read
    assert "fanned = 0.5 K/h, between 0.1 and 3 K/h" in read
    assert "- It names the fan." in read
    assert QuotableAnswer(CONTESTED).fenced_text in read
    assert "UNSEEN" not in read
    assert "judge-" not in read + bench.heard[0].system
    assert bench.heard[0].messages == bench.heard[1].messages


def test_an_open_question_is_judged_beside_its_boundary_envelope_and_figures() -> None:
    bench = ScriptedPanel(
        build_judges(build_verdict("OF", (0, 0, 0), ""), build_verdict("OF", (0, 0, 0), ""))
    )
    bench.judge_answer("ice_at_noon", "Nobody can say.")
    read = bench.heard[0].messages[0].text
    assert "shown_clear = clear <= clearest @ estimate: covers in use" in read
    assert "freezes = clear*sky" in read
    assert "clearest = 0.87, between 0.8 and 0.92" in read


def test_only_the_criteria_of_an_evaluation_document_are_taken() -> None:
    document = "# E\n\n## Criteria\n\n- x = a <= b @ work\n- It is said.\n\n| A |\n\n### Steps\n\n- A step.\n\nCanary: c"
    assert extract_criteria(document) == "- It is said."
    assert extract_criteria("") == ""


# What counts


def test_a_contested_answer_earns_the_median_of_each_line() -> None:
    bench = ScriptedPanel(
        build_judges(build_contested_verdict((20, 16, 10)), build_contested_verdict((20, 20, 12)))
    )
    judgement = bench.judge_answer("bin_nine", CONTESTED)
    assert require_components(judgement).outcome == 20 + 18 + 11
    assert "judged" in judgement.scored.flags


def test_points_whose_quote_does_not_stand_in_the_answer_count_as_nothing() -> None:
    made_up = build_contested_verdict((20, 20, 20), "The fire captain is certainly mistaken")
    bench = ScriptedPanel(build_judges(made_up, made_up))
    judgement = bench.judge_answer("bin_nine", CONTESTED)
    assert require_components(judgement).outcome == 0
    assert len(judgement.struck_points) == 6
    assert bench.count_requests("judge-1") == 3, "it is told, and may quote again"
    assert "is not in the answer" in told(bench.heard[-1])


def test_a_judge_that_quotes_rightly_at_its_second_try_is_heard() -> None:
    def second_try(question: Question) -> dict[str, Any]:
        return build_contested_verdict(
            (20, 20, 20), QUOTE if len(question.messages) > 1 else "made up by the judge"
        )

    judgement = ScriptedPanel(build_judges(second_try, second_try)).judge_answer("bin_nine", CONTESTED)
    assert require_components(judgement).outcome == 60


# Judges that differ, and judges that fail


def test_where_two_differ_a_third_is_asked_and_the_median_is_taken() -> None:
    bench = ScriptedPanel(
        build_judges(
            build_contested_verdict((20, 20, 20)),
            build_contested_verdict((0, 20, 20)),
            build_contested_verdict((14, 20, 20)),
        )
    )
    judgement = bench.judge_answer("bin_nine", CONTESTED)
    assert judgement.points["Awareness that the answer is contested"] == 14
    assert require_components(judgement).outcome == 54


def test_where_two_agree_nobody_else_is_asked() -> None:
    bench = ScriptedPanel(
        build_judges(
            build_contested_verdict((20, 20, 20)),
            build_contested_verdict((16, 20, 20)),
            build_contested_verdict((0, 0, 0)),
        )
    )
    bench.judge_answer("bin_nine", CONTESTED)
    assert bench.count_requests("judge-3") == 0


def test_two_that_differ_without_a_third_leave_it_unscored() -> None:
    judgement = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(0, ""))
    ).judge_answer("twelve_metres", FREE)
    assert (judgement.scored.state, judgement.scored.score) == (RunState.UNSCORED, None)
    assert "(100 and 0 of 100), and there is no third" in judgement.scored.note


def test_judges_that_differ_on_what_holds_are_settled_too() -> None:
    def stating(right: int, wrong: int) -> dict[str, Any]:
        verdicts = [True] * right + [False] * wrong
        return build_known_verdict(
            100, statements=[{"quote": FREE, "holds": each, "why": "So."} for each in verdicts]
        )

    judgement = ScriptedPanel(build_judges(stating(1, 0), stating(0, 1), stating(2, 1))).judge_answer(
        "twelve_metres", FREE
    )
    assert require_components(judgement).physical == pytest.approx(200 / 3)


FATAL: dict[str, Fault] = {
    "refusal": faults.REFUSED,
    "truncation": faults.TRUNCATED,
    "wrong schema": faults.WRONG_SCHEMA,
    "malformed": faults.MALFORMED_ARGUMENTS,
    "wrong key": faults.WRONG_KEY,
    "server error": faults.INTERNAL,
    "no protocol": Break.HTML,
}


@BOTH_PROTOCOLS
@pytest.mark.parametrize("fault", FATAL.values(), ids=FATAL)
def test_a_judge_that_gives_no_verdict_makes_it_unscored_with_the_reason(protocol: str, fault: Fault) -> None:
    bench = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(100)), {"judge-2": fault}, protocol
    )
    judgement = bench.judge_answer("twelve_metres", FREE)
    assert (judgement.scored.state, judgement.scored.score) == (RunState.UNSCORED, None)
    assert "judge-2" in judgement.scored.note
    assert judgement.opinions[0].counted is not None
    assert judgement.opinions[1].failure


def test_a_third_stands_in_for_a_judge_that_is_dead() -> None:
    bench = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(0, ""), build_known_verdict(100)),
        {"judge-2": faults.OVERLOADED},
    )
    judgement = bench.judge_answer("twelve_metres", FREE)
    assert require_components(judgement).outcome == 100
    assert "overloaded" in judgement.opinions[1].failure


def test_where_two_differ_and_the_third_is_dead_nothing_is_scored() -> None:
    bench = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(0, ""), build_known_verdict(100)),
        {"judge-3": faults.REFUSED},
    )
    judgement = bench.judge_answer("twelve_metres", FREE)
    assert judgement.scored.state is RunState.UNSCORED
    assert "the third gave no verdict" in judgement.scored.note


WRONG = {
    "a line left out": {"lines": build_lines("CT", (20, 20), QUOTE)},
    "more than the most": build_contested_verdict((20, 20, 60)),
    "prose": Reply("I liked it."),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG)
def test_a_verdict_that_cannot_be_read_is_no_verdict(wrong: Any) -> None:
    bench = ScriptedPanel(build_judges(make_judge(wrong), build_contested_verdict((20, 20, 20))))
    judgement = bench.judge_answer("bin_nine", CONTESTED)
    assert judgement.scored.state is RunState.UNSCORED
    assert bench.count_requests("judge-1") == 3


def test_judges_that_may_not_spend_leave_it_unscored() -> None:
    bench = ScriptedPanel(
        build_judges(build_known_verdict(100), build_known_verdict(100)),
        budget=SpendingBudget(limit=Decimal("0.0001")),
    )
    judgement = bench.judge_answer("twelve_metres", FREE)
    assert judgement.scored.state is RunState.UNSCORED
    assert not bench.heard


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_for_silence_nobody_is_asked(text: str) -> None:
    bench = ScriptedPanel(build_judges(build_known_verdict(100), build_known_verdict(100)))
    assert bench.judge_answer("twelve_metres", text).scored.score == 0
    assert not bench.heard


@pytest.mark.parametrize(
    "models", [(), ("openai:a",), ("openai:a", "openai:a"), ("openai:a", "openai:b", "openai:a")]
)
def test_a_panel_has_two_different_judges_at_least(models: tuple[str, ...]) -> None:
    with pytest.raises(ConfigurationError, match="at least 2 models, all different"):
        JudgePanel(tuple(map(parse_model_reference, models)), ConnectionPool(ApiKeys()), SpendingBudget())
