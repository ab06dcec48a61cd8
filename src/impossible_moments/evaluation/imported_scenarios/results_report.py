"""The report on imported scenarios: means by status and category, and a row for each scenario."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.evaluation.imported_scenarios.imported_results import ImportedResults
from impossible_moments.evaluation.reports.report_elements import (
    EvaluationReport,
    ReportSection,
    ReportTable,
    format_count,
    format_score,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.results import ScenarioResult


def build_imported_results_report(results: ImportedResults) -> EvaluationReport:
    """Return the report on a model's results on imported scenarios."""
    states = ", ".join(f"{count} {state}" for state, count in results.states.items() if count)
    return EvaluationReport(
        title=f"{shorten_text(results.model, 60)} on imported scenarios",
        summary=f"Mean {format_score(results.mean)} over {format_count(len(results.scenarios), 'scenario')}; runs: {states}. "
        f"{results.said[:1].upper()}{results.said[1:]}. There is no IM-Score, because these scenarios were not verified.",
        sections=(
            ReportSection(
                "Means",
                tables=(
                    _build_means_table("status", results.by_status),
                    _build_means_table("category", results.by_category),
                ),
            ),
            ReportSection("Scenarios", tables=(_build_scenarios_table(results.scenarios),)),
        ),
    )


def _build_means_table(group_name: str, means: Mapping[str, float]) -> ReportTable:
    return ReportTable(
        make_columns(group_name, "#mean"),
        tuple((shorten_text(name, 40), format_score(value)) for name, value in means.items()),
    )


def _build_scenarios_table(scenarios: tuple[ScenarioResult, ...]) -> ReportTable:
    rows = tuple(
        (
            shorten_text(each.scenario_id, 20),
            shorten_text(each.title, 40),
            each.status,
            format_score(each.mean),
            shorten_text("; ".join(dict.fromkeys(run.note for run in each.runs if run.note))),
        )
        for each in scenarios
    )
    return ReportTable(make_columns("scenario", "title", "status", "#mean", "why"), rows)
