"""Twins: a pair counts only if both are right, and only scenarios that are each other's contrary are a pair."""

from __future__ import annotations

import pytest

from impossible_moments.evaluation.answer_key import AnswerKey
from impossible_moments.evaluation.reports.comparison_report import build_comparison_report
from impossible_moments.evaluation.reports.html_page import render_html
from impossible_moments.evaluation.reports.markdown_page import render_markdown
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.reports.report_elements import EvaluationReport, ReportSection
from impossible_moments.evaluation.reports.twin_section import EXPLANATION, NO_PAIR, convert_twins_to_data
from impossible_moments.evaluation.results import Results, ScenarioResult
from impossible_moments.evaluation.statistics.twin_pairs import (
    TwinOutcome,
    add_twin_ids_to_results,
    compute_joint_figures,
    find_twins,
    list_twin_pairs,
)
from impossible_moments.library.everyday_library import load_everyday_library
from support.sample_results import build_results, build_scenario
from support.small_blueprints import draw_room

RIGHT, WRONG = 90.0, 20.0
WAY, NO_WAY = "IM-0001", "IM-0002"


def pair(
    solvable: list[float | None], impossible: list[float | None], *, at: int = 0, status: str = "KS-Singular"
) -> tuple[ScenarioResult, ScenarioResult]:
    """Two scenarios that name each other, with runs of these scores."""
    one, other = f"IM-{2 * at + 1:04d}", f"IM-{2 * at + 2:04d}"
    family = f"family {at}"
    return (
        build_scenario(one, solvable, status=status, twin=other, family=family),
        build_scenario(other, impossible, status="PX", twin=one, family=family),
    )


def of_pairs(*pairs: tuple[ScenarioResult, ScenarioResult]) -> Results:
    return build_results(*(each for both in pairs for each in both))


# fmt: off
CASES = [
    ([RIGHT], [85.0],  TwinOutcome.BOTH,       85.0),
    ([RIGHT], [WRONG], TwinOutcome.SOLVABLE,   0.0),
    ([WRONG], [RIGHT], TwinOutcome.IMPOSSIBLE, 0.0),
    ([WRONG], [WRONG], TwinOutcome.NEITHER,    0.0),
    ([RIGHT], [None],  TwinOutcome.UNSCORED,   None),
    ([None],  [RIGHT], TwinOutcome.UNSCORED,   None),
]
# fmt: on


@pytest.mark.parametrize(("solvable", "impossible", "right", "score"), CASES)
def test_a_pair_earns_the_lower_score_if_both_are_right_and_nothing_else(
    solvable: list[float | None], impossible: list[float | None], right: TwinOutcome, score: float | None
) -> None:
    (found,) = list_twin_pairs(of_pairs(pair(solvable, impossible)))

    assert (found.outcome, found.score) == (right, score)


def test_many_runs_do_not_turn_a_coin_into_knowledge() -> None:
    found = compute_joint_figures(of_pairs(pair([RIGHT, WRONG], [WRONG, RIGHT])))

    assert (found.score.value, found.by_means.value) == (RIGHT, RIGHT / 4)


@pytest.mark.parametrize("status", ["KS", "KS-Fragile", "DG"])
def test_whatever_can_be_solved_may_be_half_of_a_pair(status: str) -> None:
    assert compute_joint_figures(of_pairs(pair([RIGHT], [RIGHT], status=status))).pairs == 1


@pytest.mark.parametrize(
    "other",
    [
        build_scenario(NO_WAY, [RIGHT], status="PX", twin="IM-0003"),
        build_scenario(NO_WAY, [RIGHT], status="PX"),
        build_scenario(NO_WAY, [RIGHT], status="MT", twin=WAY),
        build_scenario("IM-0009", [RIGHT], status="PX", twin=WAY),
    ],
    ids=["names another", "names nobody", "no contrary", "not there"],
)
def test_a_result_file_cannot_make_a_pair_of_what_is_none(other: ScenarioResult) -> None:
    assert list_twin_pairs(build_results(build_scenario(WAY, [RIGHT], twin=NO_WAY), other)) == ()


def test_a_scenario_is_not_its_own_twin() -> None:
    assert list_twin_pairs(build_results(build_scenario(WAY, [RIGHT], twin=WAY))) == ()


def test_an_optimist_and_a_quitter_earn_nothing_and_their_ways_are_told_apart() -> None:
    optimist = compute_joint_figures(of_pairs(*(pair([RIGHT], [WRONG], at=at) for at in range(3))))
    quitter = compute_joint_figures(of_pairs(*(pair([WRONG], [RIGHT], at=at) for at in range(3))))

    assert (optimist.score.value, quitter.score.value) == (0.0, 0.0)
    assert (optimist.compute_share(TwinOutcome.SOLVABLE), quitter.compute_share(TwinOutcome.IMPOSSIBLE)) == (
        1.0,
        1.0,
    )


def test_shares_are_of_the_pairs_that_were_scored() -> None:
    found = compute_joint_figures(of_pairs(pair([RIGHT], [RIGHT]), pair([RIGHT], [None], at=1)))

    assert (
        found.pairs,
        found.compute_share(TwinOutcome.BOTH),
        found.counts_by_outcome[TwinOutcome.UNSCORED],
    ) == (2, 1.0, 1)


# who is whose twin


def key(name: str, offer: str) -> AnswerKey:
    return AnswerKey.from_record(name, draw_room(offer).instance.record, load_everyday_library())


@pytest.fixture(scope="module")
def keys() -> dict[str, AnswerKey]:
    loft = "organ_loft"
    return {
        "IM-0001": key("IM-0001", f"{loft}/one_way"),
        "IM-0002": key("IM-0002", f"{loft}/nothing_holds"),
        "IM-0003": key("IM-0003", f"{loft}/one_way"),
        "IM-0004": key("IM-0004", "ice_house/one_way"),
    }


def test_named_pairs_come_before_those_that_are_found(keys: dict[str, AnswerKey]) -> None:
    named = {"IM-0002": "IM-0003", "IM-0003": "IM-0002"}

    assert find_twins(keys, named) == named


def test_without_names_the_first_of_the_likest_is_taken_and_a_scenario_has_one_twin(
    keys: dict[str, AnswerKey],
) -> None:
    assert find_twins(keys) == {"IM-0001": "IM-0002", "IM-0002": "IM-0001"}


@pytest.mark.parametrize(
    "named",
    [
        {"IM-0003": "IM-0002"},
        {"IM-0001": "IM-0003", "IM-0003": "IM-0001"},
        {"IM-0003": "IM-0099", "IM-0099": "IM-0003"},
    ],
    ids=["one-sided", "both solvable", "not there"],
)
def test_a_registry_cannot_name_what_is_no_pair(keys: dict[str, AnswerKey], named: dict[str, str]) -> None:
    assert find_twins(keys, named) == find_twins(keys)


def test_results_carry_the_twin_of_each(keys: dict[str, AnswerKey]) -> None:
    run = build_results(build_scenario("IM-0001", [RIGHT]), build_scenario("IM-0002", [RIGHT], status="PX"))

    found = add_twin_ids_to_results(run, keys)

    assert [each.twin for each in Results.model_validate_json(found.model_dump_json()).scenarios] == [
        "IM-0002",
        "IM-0001",
    ]


# what a report says


def twins_in(report: EvaluationReport) -> ReportSection:
    (found,) = [each for each in report.sections if each.title == "Twins"]
    return found


MIXED = (pair([RIGHT], [85.0]), pair([RIGHT], [WRONG], at=1), pair([RIGHT], [None], at=2))


def test_the_report_says_how_many_pairs_and_which_half_was_right() -> None:
    figures, ways = twins_in(build_report_card(of_pairs(*MIXED))).tables

    assert figures.rows[0] == ("pairs", "3")
    assert figures.rows[1] == ("joint score (best runs)", "42.5")
    assert ways.rows == (
        ("both right", "1", "50 %"),
        ("only the solvable one right", "1", "50 %"),
        ("only the impossible one right", "0", "0 %"),
        ("neither right", "0", "0 %"),
        ("one or both without a score", "1", "—"),
    )


def test_the_report_card_has_a_line_on_twins_where_there_are_any() -> None:
    def lines(made: Results) -> dict[str, str]:
        return {row[0]: row[1] for row in build_report_card(made).sections[0].tables[0].rows}

    assert lines(of_pairs(*MIXED))["twins"] == "42.5, 1 of 3 pairs both right"
    assert "twins" not in lines(build_results(build_scenario(WAY, [RIGHT])))


def test_without_a_pair_the_section_says_so() -> None:
    assert twins_in(build_report_card(build_results(build_scenario(WAY, [RIGHT])))).paragraphs == (NO_PAIR,)


def test_every_form_of_the_report_says_what_it_means() -> None:
    made = build_report_card(of_pairs(*MIXED))

    assert EXPLANATION in twins_in(made).paragraphs
    assert "earns nothing" in render_markdown(made)
    assert "earns nothing" in render_html(made)


def test_a_comparison_has_a_row_for_each_model() -> None:
    good, bad = of_pairs(pair([RIGHT], [RIGHT])), of_pairs(pair([RIGHT], [WRONG]))

    (table,) = twins_in(build_comparison_report({"good": good, "bad": bad})).tables

    assert [(row[0], row[1], row[2], row[4], row[5]) for row in table.rows] == [
        ("good", "1", "90.0", "100 %", "0 %"),
        ("bad", "1", "0.0", "0 %", "100 %"),
    ]


def test_programs_are_told_the_same() -> None:
    found = convert_twins_to_data(of_pairs(*MIXED))

    assert (found["pairs"], found["joint_score"]) == (3, 42.5)
    assert found["pairs_by_what_was_right"]["only the solvable one right"] == 1
