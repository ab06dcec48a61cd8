"""The report on uncertain worlds: success and regret over all scenarios, by family, and for each scenario."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from impossible_moments.evaluation.reports.report_elements import (
    EvaluationReport,
    ReportSection,
    ReportTable,
    format_count,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.uncertain_runs.uncertain_results import (
    Estimate,
    UncertainResults,
    UncertainScenarioResult,
    estimate_mean_of_means,
    estimate_share,
    summarize_uncertain_results,
)


def build_uncertain_results_report(results: UncertainResults) -> EvaluationReport:
    """Return the report on the results of one model."""
    return EvaluationReport(
        title=f"{shorten_text(results.model, 60)} on uncertain worlds",
        summary=describe_summary(results),
        sections=(
            ReportSection("Families", tables=(_build_family_table(results.scenarios),)),
            ReportSection("Scenarios", tables=(_build_scenario_table(results),)),
        ),
    )


def describe_summary(results: UncertainResults) -> str:
    """Return the figures over all scenarios in one paragraph."""
    summary = results.summary
    how = (
        f"{results.worlds} seeded worlds of each"
        if results.answer_form == "interactive"
        else "policies, evaluated exactly"
    )
    if summary.success is None or summary.optimum is None:
        return f"{format_count(summary.scenarios, 'scenario')}, {how}. No run could be scored."
    sampled = how_measured = ""
    if results.answer_form == "interactive":
        how_measured = ", measured act by act"
        sampled = f" Optimum minus success in the worlds that were played: {format_estimate(summary.sampled_regret)}."
    return (
        f"{format_count(summary.scenarios, 'scenario')}, {how}; {summary.scored} runs scored, {summary.unscored} unscored. "
        f"Success {format_estimate(summary.success)}, optimum {summary.optimum:.4f}. "
        f"Regret{how_measured}: {format_estimate(summary.regret)}.{sampled} "
        "There is no IM-Score, because success depends on chance."
    )


def format_estimate(estimate: Estimate | None) -> str:
    """Return a value with its interval."""
    if estimate is None:
        return "-"
    if estimate.low == estimate.high:
        return f"{estimate.value:.4f}"
    return f"{estimate.value:.4f} ({estimate.low:.4f} to {estimate.high:.4f})"


def _build_family_table(scenarios: Sequence[UncertainScenarioResult]) -> ReportTable:
    groups: dict[str, list[UncertainScenarioResult]] = defaultdict(list)
    for each in scenarios:
        groups[each.family].append(each)
    rows = []
    for family, members in sorted(groups.items()):
        found = summarize_uncertain_results(members)
        optimum = "-" if found.optimum is None else f"{found.optimum:.4f}"
        rows.append(
            (
                family,
                str(len(members)),
                optimum,
                format_estimate(found.success),
                format_estimate(found.regret),
            )
        )
    return ReportTable(make_columns("family", "#scenarios", "#optimum", "#success", "#regret"), tuple(rows))


def _build_scenario_table(results: UncertainResults) -> ReportTable:
    rows = []
    for each in results.scenarios:
        scored = each.scored
        success = "-"
        if scored and results.answer_form == "interactive":
            success = format_estimate(estimate_share(sum(run.success or 0 for run in scored), len(scored)))
        elif scored:
            success = format_estimate(estimate_mean_of_means([[run.success or 0.0 for run in scored]]))
        rows.append(
            (
                each.scenario_id,
                shorten_text(each.title, 40),
                each.family,
                f"{each.optimum:.4f}",
                success,
                format_estimate(estimate_mean_of_means([each.losses])),
                str(sum(run.invalid_acts for run in each.runs)),
            )
        )
    return ReportTable(
        make_columns("scenario", "title", "family", "#optimum", "#success", "#regret", "#invalid acts"),
        tuple(rows),
    )
