"""The report that compares several evaluations: a leaderboard, and the distance of each from the best."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import CATEGORIES, TIERS
from impossible_moments.evaluation.reports.reading_guide import explain_error_bars
from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    RadarFigure,
    ReportSection,
    ReportTable,
    RunFilter,
    TableColumn,
    WhiskerFigure,
    format_count,
    format_estimate,
    format_p_value,
    format_score,
    format_share,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.reports.run_conditions import list_run_conditions
from impossible_moments.evaluation.reports.twin_section import build_twin_comparison_section
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.statistics.leaderboard import LeaderboardEntry, build_leaderboard
from impossible_moments.evaluation.statistics.paired_comparison import find_shared_scenarios

_MUST_AGREE: Final[Mapping[str, str]] = {
    "benchmark": "benchmark",
    "presentation": "presentation",
    "answer_form": "answer form",
    "runs_per_scenario": "runs of each scenario",
    "temperature_sent": "temperature sent",
    "judges": "judges",
    "library": "library",
}


def build_comparison_report(
    results_by_name: Mapping[str, Results], entries: Sequence[LeaderboardEntry] | None = None
) -> EvaluationReport:
    """Build the report on several evaluations. `entries` is their leaderboard, if already computed."""
    found = build_leaderboard(results_by_name) if entries is None else entries
    return EvaluationReport(
        title=f"Impossible Moments: {len(found)} evaluations compared",
        summary=_summarize_leader(found),
        sections=(
            _build_leaderboard_section(results_by_name, found),
            _build_difference_section(found),
            _build_profile_section(found),
            _build_tier_section(found),
            build_twin_comparison_section({each.name: each.results for each in found}),
            _build_run_conditions_section(results_by_name),
            ReportSection("How to read it", paragraphs=(*_ON_COMPARISONS, *explain_error_bars())),
        ),
    )


_ON_COMPARISONS: Final = (
    (
        "IM-Score: the scenario scores averaged with the tier weights 1, 2, 4, 8, 16; a scenario's score is that of its best run. "
        "The best of many runs exceeds the best of few even if nothing else differs. With unequal numbers of runs, compare the means."
    ),
    (
        "Differences are computed scenario by scenario, so shared difficulty cancels out. Overlapping error bars of two models do not "
        "mean that they are equal: use the difference and its own error bar. p is the share of sign patterns over families that give a "
        "difference at least as large. Holm's method adjusts it for the number of comparisons. The best was selected because "
        "it ranks first, so its lead is somewhat overestimated."
    ),
)


def _summarize_leader(entries: Sequence[LeaderboardEntry]) -> str:
    top = entries[0]
    common = top.figures.im_score.scenarios
    if top.figures.im_score.value is None:
        return "No run of any evaluation was scored."
    return f"{shorten_text(top.name, 60)} leads with IM-Score {format_estimate(top.figures.im_score)} over {format_count(common, 'scenario')}."


def _build_leaderboard_section(
    results_by_name: Mapping[str, Results], entries: Sequence[LeaderboardEntry]
) -> ReportSection:
    rows = tuple(
        (
            str(place),
            shorten_text(each.name, 60),
            format_estimate(each.figures.im_score),
            format_estimate(each.figures.by_means),
            format_estimate(each.figures.pass_rate, "share"),
            str(each.results.im_frontier),
            format_score(each.own_im_score),
            str(results_by_name[each.name].unscored),
        )
        for place, each in enumerate(entries, start=1)
    )
    heads = (
        "#place",
        "model",
        "#IM-Score",
        "#by means",
        "#pass rate",
        "#IM-Frontier",
        "#over all its scenarios",
        "#unscored runs",
    )
    return ReportSection(
        title="Leaderboard",
        figures=(
            WhiskerFigure(
                "IM-Score, best run",
                tuple((shorten_text(each.name, 60), each.figures.im_score) for each in entries),
            ),
        ),
        tables=(
            ReportTable(
                make_columns(*heads), rows, caption=_describe_shared_scenario_basis(results_by_name, entries)
            ),
        ),
        notes=tuple(
            dict.fromkeys(each.figures.im_score.note for each in entries if each.figures.im_score.note)
        ),
    )


def _describe_shared_scenario_basis(
    results_by_name: Mapping[str, Results], entries: Sequence[LeaderboardEntry]
) -> str:
    if not find_shared_scenarios(tuple(results_by_name.values())):
        return "No scenario was scored in all of them: each figure covers different scenarios, and the order is meaningless."
    return f"Over the {len(entries[0].results.scenarios)} scenarios scored in all of them; error bars are 95 % intervals, resampled by family."


def _build_difference_section(entries: Sequence[LeaderboardEntry]) -> ReportSection:
    rows = tuple(
        (
            shorten_text(each.name, 60),
            format_estimate(each.behind.difference, "signed"),
            format_share(each.behind.share_above),
            format_p_value(each.behind.p),
            format_p_value(each.p),
            format_score(each.behind.detectable),
            format_estimate(each.behind_by_means.difference, "signed"),
        )
        for each in entries
        if each.behind is not None and each.behind_by_means is not None
    )
    heads = (
        "#lead of the best",
        "#resamples with a lead",
        "#p",
        "#p, Holm",
        "#smallest detectable lead",
        "#lead by means",
    )
    notes = [each.behind.difference.note for each in entries if each.behind and each.behind.difference.note]
    return ReportSection(
        title=f"Differences from the best, {shorten_text(entries[0].name, 60)}",
        tables=(
            ReportTable(make_columns("model", *heads), rows, empty_text="There is only one evaluation."),
        ),
        notes=tuple(dict.fromkeys(notes)),
    )


def _build_profile_section(entries: Sequence[LeaderboardEntry]) -> ReportSection:
    series = tuple((shorten_text(each.name, 60), tuple(each.results.im_profile.values())) for each in entries)
    rows = tuple(
        (name, *(format_score(each.results.im_profile[name]) for each in entries)) for name in CATEGORIES
    )
    return ReportSection(
        title="Categories: the IM-Profiles",
        figures=(RadarFigure("IM-Profiles", tuple(CATEGORIES), series),),
        tables=(
            ReportTable(
                (TableColumn("category"), *_make_model_columns(entries)),
                rows,
                links=tuple(RunFilter("category", name) for name in CATEGORIES),
            ),
        ),
    )


def _build_tier_section(entries: Sequence[LeaderboardEntry]) -> ReportSection:
    rows = tuple(
        (name, *(format_estimate(each.figures.tiers[at].best) for each in entries))
        for at, name in enumerate(TIERS)
    )
    return ReportSection(
        title="Tiers",
        tables=(
            ReportTable(
                (TableColumn("tier"), *_make_model_columns(entries)),
                rows,
                links=tuple(RunFilter("tier", name) for name in TIERS),
            ),
        ),
    )


def _make_model_columns(entries: Sequence[LeaderboardEntry]) -> tuple[TableColumn, ...]:
    return tuple(TableColumn(shorten_text(each.name, 40), number=True) for each in entries)


def _build_run_conditions_section(results_by_name: Mapping[str, Results]) -> ReportSection:
    first = next(iter(results_by_name.values()))
    differ = [
        words
        for field, words in _MUST_AGREE.items()
        if any(getattr(each, field) != getattr(first, field) for each in results_by_name.values())
    ]
    sides = [dict(list_run_conditions(each)) for each in results_by_name.values()]
    # An evaluation without a translator or a remark of judges has no row for it.
    names = dict.fromkeys(name for name in max(sides, key=len)) | dict.fromkeys(
        name for side in sides for name in side
    )
    rows = tuple((name, *(side.get(name, NOTHING) for side in sides)) for name in names)
    return ReportSection(
        title="What was run",
        tables=(
            ReportTable(
                (TableColumn(""), *(TableColumn(shorten_text(name, 40)) for name in results_by_name)), rows
            ),
        ),
        notes=(f"The conditions differ ({', '.join(differ)}), which may explain differences in the scores.",)
        if differ
        else (),
    )
