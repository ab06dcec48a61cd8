"""The report on imported scenarios: means by status and category, and a row for each scenario."""

from __future__ import annotations

from collections.abc import Mapping

from impossible_moments.evaluation.foreign.results import ForeignResults
from impossible_moments.evaluation.reports.form import Report, Section, Table, columns, quoted, score
from impossible_moments.evaluation.results import ScenarioResult


def foreign_card(results: ForeignResults) -> Report:
    """Return the report on a model's results on imported scenarios."""
    states = ", ".join(f"{count} {state}" for state, count in results.states.items() if count)
    return Report(
        title=f"{quoted(results.model, 60)} on imported scenarios",
        summary=f"Mean {score(results.mean)} over {len(results.scenarios)} scenarios; runs: {states}. "
        f"{results.said[:1].upper()}{results.said[1:]}. There is no IM-Score, because these scenarios were not verified.",
        sections=(
            Section(
                "Means", tables=(_means("status", results.by_status), _means("category", results.by_category))
            ),
            Section("Scenarios", tables=(_scenarios(results.scenarios),)),
        ),
    )


def _means(what: str, found: Mapping[str, float]) -> Table:
    return Table(
        columns(what, "#mean"), tuple((quoted(name, 40), score(value)) for name, value in found.items())
    )


def _scenarios(found: tuple[ScenarioResult, ...]) -> Table:
    rows = tuple(
        (
            quoted(each.scenario_id, 20),
            quoted(each.title, 40),
            each.status,
            score(each.mean),
            quoted("; ".join(dict.fromkeys(run.note for run in each.runs if run.note))),
        )
        for each in found
    )
    return Table(columns("scenario", "title", "status", "#mean", "why"), rows)
