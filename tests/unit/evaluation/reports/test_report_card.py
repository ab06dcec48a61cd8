"""What a report says of one evaluation and of several."""

from __future__ import annotations

import pytest

from impossible_moments.domain.vocabulary import CATEGORIES
from impossible_moments.evaluation.reports.comparison_report import build_comparison_report
from impossible_moments.evaluation.reports.report_card import build_report_card
from impossible_moments.evaluation.reports.report_elements import (
    EvaluationReport,
    RadarFigure,
    ReportSection,
    ReportTable,
    format_difference,
    format_estimate,
    format_p_value,
    shorten_text,
)
from impossible_moments.evaluation.results import EvaluationRun, RunState, ScenarioResult
from impossible_moments.evaluation.statistics.resampling import MeanEstimate
from support.sample_results import build_many_results, build_results, build_run, build_scenario


def section(report: EvaluationReport, title: str) -> ReportSection:
    (found,) = [each for each in report.sections if each.title.startswith(title)]
    return found


def table(report: EvaluationReport, title: str, caption: str) -> ReportTable:
    (found,) = [each for each in section(report, title).tables if each.caption.startswith(caption)]
    return found


def flagged(
    name: str, flag: str, *, status: str = "KS", score: float | None = 90, tier: str = "SPARK"
) -> ScenarioResult:
    """A scenario with one run that carries the flag."""
    runs = (build_run(score, flags=(flag,), answer=f"answer to {name}", executed=(f"do({name})",)),)
    return build_scenario(name, [], status=status, tier=tier, runs=runs)


def test_the_sections_stand_in_the_order_they_are_read() -> None:
    assert [each.title for each in build_report_card(build_many_results(40)).sections] == [
        "Report card",
        "Tiers",
        "Solution statuses",
        "Categories: the IM-Profile",
        "Components",
        "Calibration of GALILEO's predictions",
        "Notable results",
        "Fragility",
        "False solutions of paradoxes",
        "Twins",
        "How to read it",
    ]


def test_every_row_has_a_cell_for_every_column() -> None:
    made = {"one": build_many_results(40), "other": build_many_results(40, seed=2), "none": build_results()}
    for report in (
        build_report_card(build_many_results(40)),
        build_report_card(build_results()),
        build_comparison_report(made),
    ):
        for each in report.sections:
            for found in each.tables:
                assert {len(row) for row in found.rows} <= {len(found.columns)}, each.title


def test_the_card_says_what_was_run_and_what_was_asked_and_sent() -> None:
    made = build_results(
        build_scenario("a", [50]),
        model="maker:large",
        presentation="full",
        temperature_asked=0.7,
        judges=("x:one", "y:two"),
        cost="$3.20",
    )
    conditions = section(build_report_card(made), "Report card").tables[1]
    rows = {row[0]: row[1] for row in conditions.rows}

    assert rows["model"] == "maker:large"
    assert rows["presentation"] == "full"
    assert rows["temperature requested"] == "0.7"
    assert rows["temperature sent"] == "none, or not known"
    assert rows["judges"] == "x:one, y:two"
    assert rows["cost"] == "$3.20"


def test_runs_without_a_score_are_counted_with_their_reasons() -> None:
    review = EvaluationRun(number=2, state=RunState.REVIEW, note="unknown verb fettle")
    made = build_results(build_scenario("a", [None, None, 50]), build_scenario("b", [], runs=(review,)))
    card = section(build_report_card(made), "Report card")

    assert ("unscored", "3 of 4 runs") in card.tables[0].rows
    assert card.tables[2].rows == (
        ("the provider failed", "unscored", "2"),
        ("unknown verb fettle", "review", "1"),
    )


def test_a_flood_of_different_reasons_is_cut_and_the_rest_counted() -> None:
    runs = tuple(
        EvaluationRun(number=at + 1, state=RunState.UNSCORED, note=f"reason {at}") for at in range(30)
    )
    rows = (
        section(build_report_card(build_results(build_scenario("a", [], runs=runs))), "Report card")
        .tables[2]
        .rows
    )

    assert len(rows) == 9
    assert rows[-1] == ("22 further reasons", "—", "22")


def test_surprises_are_found() -> None:
    made = build_results(
        build_scenario("hard solved", [10, 95], tier="SINGULARITY"),
        build_scenario("harder solved", [95], tier="IMPOSSIBLE"),
        build_scenario("hard missed", [10], tier="IMPOSSIBLE"),
        build_scenario("easy missed", [10, 30], tier="SPARK"),
        build_scenario("easy solved", [99], tier="SPARK"),
        build_scenario("easy unscored", [None], tier="SPARK"),
    )
    report = build_report_card(made)

    assert [row[0] for row in table(report, "Notable", "Hard").rows] == ["harder solved", "hard solved"]
    assert [row[0] for row in table(report, "Notable", "Easy").rows] == ["easy missed"]


def test_flags_are_shown_with_what_the_model_did_or_said() -> None:
    made = build_results(
        flagged("new way", "unintended"),
        flagged("failed way", "unintended", score=10),
        flagged("frontier", "breakthrough candidate", status="OF", score=None),
        flagged("brittle", "fragile", status="KS-Fragile"),
    )
    report = build_report_card(made)

    assert [(row[0], row[-1]) for row in table(report, "Notable", "Solved").rows] == [
        ("new way", "do(new way)")
    ]
    assert [(row[0], row[-1]) for row in table(report, "Notable", "Breakthrough candidates").rows] == [
        ("frontier", "answer to frontier")
    ]
    assert [row[0] for row in table(report, "Fragility", "Flagged").rows] == ["brittle"]


def test_false_solutions_are_counted_over_scored_runs_of_paradoxes() -> None:
    made = build_results(
        flagged("believer", "false solution", status="PX", score=20),
        build_scenario("sceptic", [90, 95, None], status="PX"),
        flagged("elsewhere", "false solution", status="KS"),
    )
    found = section(build_report_card(made), "False")

    assert found.paragraphs[0].startswith("1 of 3 scored runs on 2 PX scenarios")
    assert "(33 %)" in found.paragraphs[0]
    assert "No scenario of status PX" in section(build_report_card(build_results()), "False").paragraphs[0]


def test_components_are_averaged_over_all_runs_and_over_the_best() -> None:
    rows = (
        section(build_report_card(build_results(build_scenario("a", [20, 90]))), "Components").tables[0].rows
    )

    assert rows[0] == ("outcome correctness", "40 %", "55.0", "90.0")


def test_what_is_missing_is_a_dash_and_never_nought() -> None:
    report = build_report_card(build_results(build_scenario("a", [None])))

    assert report.summary.startswith("No run was scored")
    assert "0.0" not in {
        cell for each in report.sections for found in each.tables for row in found.rows for cell in row
    }


def test_how_to_read_it_names_the_gap_the_bars_and_the_smallest_difference() -> None:
    text = " ".join(section(build_report_card(build_many_results(60)), "How").paragraphs)

    assert "The best of several runs overestimates a model" in text
    assert "2,000 resamples of whole families" in text
    assert "80 of 100 cases at the 5 % level" in text


def test_a_comparison_says_where_files_were_not_run_alike() -> None:
    one, other = build_many_results(40), build_many_results(40, runs=3, seed=2)
    notes = section(build_comparison_report({"one": one, "other": other}), "What was run").notes

    assert notes == (
        "The conditions differ (runs of each scenario), which may explain differences in the scores.",
    )
    assert (
        section(
            build_comparison_report({"one": one, "other": build_many_results(40, seed=2)}), "What was run"
        ).notes
        == ()
    )


def test_a_comparison_overlays_the_profiles_and_names_the_best() -> None:
    made = {"weak": build_many_results(80, skill=-0.3), "strong": build_many_results(80, skill=0.3, seed=2)}
    report = build_comparison_report(made)
    (profile,) = section(report, "Categories").figures

    assert isinstance(profile, RadarFigure)
    assert [name for name, _ in profile.series] == ["strong", "weak"]
    assert profile.axes == CATEGORIES
    assert report.summary.startswith("strong leads")
    (row,) = section(report, "Differences").tables[0].rows
    assert row[0] == "weak"
    assert row[1].startswith("+")


def test_files_without_common_scenarios_are_listed_and_not_compared() -> None:
    report = build_comparison_report(
        {"a": build_results(build_scenario("x", [1])), "b": build_results(build_scenario("y", [2]))}
    )

    assert "No scenario was scored in all of them" in section(report, "Leaderboard").tables[0].caption
    assert section(report, "Differences").tables[0].rows[0][1] == "—"
    assert "share no scenario" in section(report, "Differences").notes[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("two\nlines\tand  spaces", "two lines and spaces"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("\u202eevil", "\\u202eevil"),
        ("\ud800", "\\ud800"),
        ("x" * 500, "x" * 119 + "…"),
        ("", ""),
    ],
)
def test_words_of_others_are_one_line_that_can_be_seen(text: str, shown: str) -> None:
    assert shorten_text(text) == shown


def test_figures_are_printed_with_what_is_known_of_them() -> None:
    assert format_estimate(MeanEstimate(None)) == "—"
    assert format_estimate(MeanEstimate(51.26)) == "51.3"
    assert format_estimate(MeanEstimate(0.5, 0.4, 0.61), "share") == "50 % (40 % to 61 %)"
    assert format_estimate(MeanEstimate(-2.0, -3.0, 1.0), "signed") == "−2.0 (−3.0 to +1.0)"
    assert format_difference(0.0) == "+0.0"
    assert [format_p_value(each) for each in (None, 0.0001, 0.0312)] == ["—", "below 0.001", "0.031"]
