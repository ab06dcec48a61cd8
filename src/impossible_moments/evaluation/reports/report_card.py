"""The report on one evaluation, as data in reading order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from impossible_moments.domain import scoring_rubrics
from impossible_moments.domain.difficulty_tiers import EXPECTED_SHARES, TIER_WEIGHTS
from impossible_moments.evaluation.reports.notable_results import (
    build_false_solution_section,
    build_fragility_section,
    build_notable_section,
)
from impossible_moments.evaluation.reports.reading_guide import build_reading_guide
from impossible_moments.evaluation.reports.report_elements import (
    NOTHING,
    EvaluationReport,
    RadarFigure,
    ReportSection,
    ReportTable,
    RunFilter,
    WhiskerFigure,
    format_count,
    format_difference,
    format_estimate,
    format_score,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.reports.run_conditions import (
    count_flags,
    list_run_conditions,
    list_unscored_reasons,
)
from impossible_moments.evaluation.reports.run_outcomes import OUTCOMES
from impossible_moments.evaluation.reports.twin_section import (
    build_twin_rows_of_report_card,
    build_twin_section,
)
from impossible_moments.evaluation.results import (
    EvaluationRun,
    Results,
    RunState,
    ScoreComponents,
)
from impossible_moments.evaluation.statistics.summary_figures import (
    EvaluationFigures,
    GroupFigures,
    compute_figures,
)

COMPONENTS: Final[Mapping[str, tuple[str, str]]] = {
    each.key: (each.name.lower(), f"{100 * each.weight:g} %") for each in scoring_rubrics.COMPONENTS
}
"""Name and weight of each component, for tables."""


def build_report_card(results: Results, found: EvaluationFigures | None = None) -> EvaluationReport:
    """Build the complete report on one evaluation. `found` are its figures, if already computed."""
    known = compute_figures(results) if found is None else found
    return EvaluationReport(
        title=f"Impossible Moments: {shorten_text(results.model, 80)}",
        summary=_summarize_scores(results, known),
        sections=(
            _build_main_figures_section(results, known),
            _build_tier_section(known),
            _build_status_section(known),
            _build_category_section(results, known),
            _build_component_section(results),
            _build_calibration_section(known),
            build_notable_section(results),
            build_fragility_section(results),
            build_false_solution_section(results),
            build_twin_section(results),
            build_reading_guide(known),
        ),
    )


def _summarize_scores(results: Results, figures: EvaluationFigures) -> str:
    scored_count = figures.im_score.scenarios
    if figures.im_score.value is None:
        return (
            f"No run was scored: {results.unscored} runs of {len(results.scenarios)} scenarios have no score."
        )
    return (
        f"IM-Score {format_estimate(figures.im_score)} by the best run of each scenario, {format_estimate(figures.by_means)} by the "
        f"mean of its runs; {scored_count} of {len(results.scenarios)} scenarios scored."
    )


def _build_main_figures_section(results: Results, figures: EvaluationFigures) -> ReportSection:
    open_scenarios = sum(each.status == "OF" for each in results.scenarios)
    runs = sum(len(each.runs) for each in results.scenarios)
    reasons, flags = list_unscored_reasons(results), count_flags(results)
    main = (
        ("IM-Score (best run)", format_estimate(figures.im_score)),
        ("IM-Score by means", format_estimate(figures.by_means)),
        *_iterate_score_bounds_during_review(results),
        ("pass rate", format_estimate(figures.pass_rate, "share")),
        ("IM-Profile", _format_profile_range(results)),
        ("IM-Frontier", f"{results.im_frontier} of {open_scenarios} open scenarios flagged for experts"),
        *build_twin_rows_of_report_card(results),
        ("unscored", f"{results.unscored} of {runs} runs"),
    )
    return ReportSection(
        title="Report card",
        tables=(
            ReportTable(
                make_columns("figure", "value"),
                main,
                caption="Error bars are 95 % intervals, resampled by family.",
                links=tuple(_MAIN_LINKS.get(name) for name, _ in main),
            ),
            ReportTable(make_columns("what was run", ""), list_run_conditions(results)),
            ReportTable(
                make_columns("why runs have no score", "state", "#runs"),
                reasons,
                empty_text="Every run was scored.",
                links=tuple(
                    RunFilter("outcome", state) if state in OUTCOMES else None for _, state, _ in reasons
                ),
            ),
            ReportTable(
                make_columns("flag", "#runs", "#scenarios"),
                flags,
                empty_text="No run was flagged.",
                links=tuple(RunFilter("flag", flag) for flag, *_ in flags),
            ),
        ),
        notes=tuple(dict.fromkeys(each.note for each in (figures.im_score, figures.pass_rate) if each.note)),
    )


_MAIN_LINKS: Final = {
    "pass rate": RunFilter("outcome", "passed"),
    "unscored": RunFilter("outcome", "unscored"),
}
"""The runs behind the main figures."""


def _iterate_score_bounds_during_review(results: Results) -> Iterator[tuple[str, str]]:
    """Yield a row with the bounds of the score while answers wait for review."""
    if results.im_bounds is not None:
        low, high = results.im_bounds
        runs_in_review = sum(run.state is RunState.REVIEW for each in results.scenarios for run in each.runs)
        yield (
            f"IM-Score after the pending reviews ({runs_in_review})",
            f"between {format_score(low)} (all fail) and {format_score(high)} (all pass)",
        )


def _format_profile_range(results: Results) -> str:
    """Return the weakest and the strongest category. The full profile has its own section."""
    known = [(value, name) for name, value in results.im_profile.items() if value is not None]
    if not known:
        return NOTHING
    (low, weakest), (high, strongest) = min(known), max(known)
    return f"{format_score(low)} ({weakest}) to {format_score(high)} ({strongest}), {len(known)} of {len(results.im_profile)} categories"


def _build_tier_section(figures: EvaluationFigures) -> ReportSection:
    rows = tuple(
        (each.name, str(TIER_WEIGHTS[each.name]), *_format_group_cells(each), EXPECTED_SHARES[each.name])
        for each in figures.tiers
    )
    return ReportSection(
        title="Tiers",
        figures=(
            WhiskerFigure("Score by tier, best run", tuple((each.name, each.best) for each in figures.tiers)),
        ),
        tables=(
            ReportTable(
                make_columns("tier", "#weight", *_HEADERS, "#expected"),
                rows,
                caption="Expected: the share that strong models solve.",
                links=tuple(RunFilter("tier", each.name) for each in figures.tiers),
            ),
        ),
        notes=_describe_rows_without_error_bar(figures.tiers),
    )


_HEADERS: Final = ("#scenarios", "#runs", "#unscored", "#score (best run)", "#mean", "#pass rate")


def _format_group_cells(group: GroupFigures) -> tuple[str, ...]:
    counts = (str(group.scenarios), str(group.runs), str(group.unscored))
    return (
        *counts,
        format_estimate(group.best),
        format_estimate(group.mean),
        format_estimate(group.pass_rate, "share"),
    )


def _describe_rows_without_error_bar(groups: Iterable[GroupFigures]) -> tuple[str, ...]:
    """Return one sentence for all rows that have a figure but no error bar."""
    names = [
        shorten_text(each.name, 40)
        for each in groups
        if each.best.value is not None and each.best.low is None
    ]
    if not names:
        return ()
    return (f"No error bar with scored scenarios of fewer than 5 families: {', '.join(names)}.",)


def _build_status_section(figures: EvaluationFigures) -> ReportSection:
    rows = tuple((shorten_text(each.name, 40), *_format_group_cells(each)) for each in figures.statuses)
    return ReportSection(
        title="Solution statuses",
        tables=(
            ReportTable(
                make_columns("status", *_HEADERS),
                rows,
                empty_text="No scenario was run.",
                links=tuple(RunFilter("status", each.name) for each in figures.statuses),
            ),
        ),
        notes=_describe_rows_without_error_bar(figures.statuses),
    )


def _build_category_section(results: Results, figures: EvaluationFigures) -> ReportSection:
    values = tuple(results.im_profile.values())
    profile = RadarFigure(
        "IM-Profile", tuple(results.im_profile), ((shorten_text(results.model, 60), values),)
    )
    return ReportSection(
        title="Categories: the IM-Profile",
        paragraphs=("The plain mean of the scenario scores in each of the twelve categories.",),
        figures=(profile,),
        tables=(
            ReportTable(
                make_columns("category", *_HEADERS),
                tuple((each.name, *_format_group_cells(each)) for each in figures.categories),
                links=tuple(RunFilter("category", each.name) for each in figures.categories),
            ),
        ),
        notes=_describe_rows_without_error_bar(figures.categories),
    )


def _build_component_section(results: Results) -> ReportSection:
    # an unjudged run has components of which some only a judge can fill, so their zeros are no result
    every = [
        run for each in results.scenarios for run in each.runs if run.score is not None and run.components
    ]
    top = [run for each in results.scenarios if (run := _find_best_run(each.runs)) is not None]
    rows = tuple(
        (
            name,
            weight,
            format_score(_compute_component_mean(every, field)),
            format_score(_compute_component_mean(top, field)),
        )
        for field, (name, weight) in COMPONENTS.items()
    )
    return ReportSection(
        title="Components",
        paragraphs=(
            (
                f"Means over {format_count(len(every), 'scored run')} and over the best run of {format_count(len(top), 'scenario')}, with equal weights. "
                "Insight may exceed 100 if further valid paths are named."
            ),
        ),
        tables=(ReportTable(make_columns("component", "#weight", "#all runs", "#best runs"), rows),),
    )


def _find_best_run(runs: Sequence[EvaluationRun]) -> EvaluationRun | None:
    scored_runs = [(run.score, -run.number, run) for run in runs if run.score is not None and run.components]
    return max(scored_runs, key=lambda each: each[:2])[2] if scored_runs else None


def _compute_component_mean(runs: Sequence[EvaluationRun], field: str) -> float | None:
    assert field in ScoreComponents.model_fields
    values = [float(getattr(run.components, field)) for run in runs]
    return sum(values) / len(values) if values else None


def _build_calibration_section(figures: EvaluationFigures) -> ReportSection:
    found = figures.calibration
    if found.note:
        return ReportSection("Calibration of GALILEO's predictions", paragraphs=(found.note,))
    rows = tuple(
        (
            f"{each.low} to {each.high}",
            str(each.scenarios),
            format_score(each.predicted),
            format_score(each.scored),
            format_difference(each.scored - each.predicted),
        )
        for each in found.bins
    )
    return ReportSection(
        title="Calibration of GALILEO's predictions",
        paragraphs=(
            (
                f"Over {found.scenarios} scenarios with a prediction the mean score differs by {format_estimate(found.bias, 'signed')} points "
                f"from the prediction (above 0: better than predicted). The mean absolute error is {format_score(found.absolute_error)} points."
            ),
        ),
        tables=(
            ReportTable(
                make_columns("predicted", "#scenarios", "#mean prediction", "#mean score", "#difference"),
                rows,
            ),
        ),
        notes=(found.bias.note,) if found.bias.note else (),
    )
