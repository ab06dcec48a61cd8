"""The report section on twins: the joint score, and which of the two scenarios was right."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from impossible_moments.evaluation.reports.report_elements import (
    ReportSection,
    ReportTable,
    format_estimate,
    format_share,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.results import Results
from impossible_moments.evaluation.statistics.twin_pairs import (
    JointFigures,
    TwinOutcome,
    compute_joint_figures,
)

TITLE: Final = "Twins"
EXPLANATION: Final = (
    "Twins are two scenarios of one situation, one solvable and one impossible. A pair earns the lower of the two scores, "
    "and only if both are right, so a model that always or never finds a solution earns nothing."
)
_SHORT: Final = {
    TwinOutcome.BOTH: "both right",
    TwinOutcome.SOLVABLE: "only solvable",
    TwinOutcome.IMPOSSIBLE: "only impossible",
    TwinOutcome.NEITHER: "neither",
}
NO_PAIR: Final = "No pair of twins was run."


def build_twin_section(results: Results) -> ReportSection:
    """Build the section on the twins of one evaluation."""
    found = compute_joint_figures(results)
    if not found.pairs:
        return ReportSection(TITLE, paragraphs=(NO_PAIR,))
    rows = tuple(
        (str(way), str(count), format_share(found.compute_share(way)))
        for way, count in found.counts_by_outcome.items()
        if count or way is not TwinOutcome.UNSCORED
    )
    return ReportSection(
        TITLE,
        paragraphs=(EXPLANATION,),
        tables=(
            ReportTable(
                make_columns("figure", "value"),
                (
                    ("pairs", str(found.pairs)),
                    ("joint score (best runs)", format_estimate(found.score)),
                    ("joint score by means", format_estimate(found.by_means)),
                ),
            ),
            ReportTable(make_columns("of each pair", "#pairs", "#share"), rows),
        ),
        notes=(found.score.note,) if found.score.note else (),
    )


def build_twin_rows_of_report_card(results: Results) -> tuple[tuple[str, str], ...]:
    """Return the row on twins for a report card, or nothing if no pair was run."""
    found = compute_joint_figures(results)
    if not found.pairs:
        return ()
    both_right = f"{found.counts_by_outcome[TwinOutcome.BOTH]} of {found.pairs} pairs both right"
    return (("twins", f"{format_estimate(found.score)}, {both_right}"),)


def build_twin_comparison_section(results_by_name: Mapping[str, Results]) -> ReportSection:
    """Build the section on the twins of several evaluations, with a row for each."""
    rows = tuple(
        (shorten_text(name, 60), *_format_joint_cells(found))
        for name, results in results_by_name.items()
        if (found := compute_joint_figures(results)).pairs
    )
    heads = ("model", "#pairs", "#joint score", "#by means", *(f"#{short}" for short in _SHORT.values()))
    if not rows:
        return ReportSection(TITLE, paragraphs=(NO_PAIR,))
    return ReportSection(TITLE, paragraphs=(EXPLANATION,), tables=(ReportTable(make_columns(*heads), rows),))


def convert_twins_to_data(results: Results) -> dict[str, Any]:
    """Return the joint figures as data for JSON output."""
    found = compute_joint_figures(results)
    return {
        "pairs": found.pairs,
        "joint_score": found.score.value,
        "joint_score_by_means": found.by_means.value,
        "pairs_by_what_was_right": {str(way): count for way, count in found.counts_by_outcome.items()},
    }


def _format_joint_cells(figures: JointFigures) -> tuple[str, ...]:
    shares = (format_share(figures.compute_share(way)) for way in _SHORT)
    return (str(figures.pairs), format_estimate(figures.score), format_estimate(figures.by_means), *shares)
