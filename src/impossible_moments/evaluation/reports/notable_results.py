"""Notable results: surprises, fragile successes, and false solutions of impossible scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.evaluation.reports.report_elements import (
    ReportSection,
    ReportTable,
    ScenarioLink,
    format_score,
    format_share,
    make_columns,
    shorten_text,
)
from impossible_moments.evaluation.results import EvaluationRun, Results, RunState, ScenarioResult

MOST_ROWS: Final = 6
HARD_TIERS: Final = TIERS[2:]
EASY_TIERS: Final = TIERS[:2]

_HEADERS: Final = ("scenario", "title", "tier", "status", "#best", "#passed")
_MOST_CHARACTERS: Final = 160
_TIER_NAMES: Final[tuple[str, ...]] = TIERS

Row = tuple[str, ...]


def build_notable_section(results: Results) -> ReportSection:
    """Build the section on hard scenarios solved, easy ones missed, and flagged answers."""
    solved_hard_scenarios = [
        each for each in results.scenarios if each.tier in HARD_TIERS and _list_passed_runs(each)
    ]
    solved_hard_scenarios.sort(
        key=lambda each: (-_TIER_NAMES.index(each.tier), -len(_list_passed_runs(each)), each.scenario_id)
    )
    missed = [
        each
        for each in results.scenarios
        if each.tier in EASY_TIERS and _list_scored_runs(each) and not _list_passed_runs(each)
    ]
    missed.sort(key=lambda each: (_TIER_NAMES.index(each.tier), each.best or 0.0, each.scenario_id))
    return ReportSection(
        title="Notable results",
        tables=(
            _build_scenario_table(
                "Hard and solved", solved_hard_scenarios, "No scenario of RUPTURE or above was solved."
            ),
            _build_scenario_table(
                "Easy and missed", missed, "Every scored scenario of SPARK and FRACTURE was solved."
            ),
            _build_flagged_run_table(
                "Solved in an unintended way",
                [found for found in _list_flagged_runs(results.scenarios, "unintended") if found[1].passed],
                "the parsed plan",
            ),
            _build_flagged_run_table(
                "Breakthrough candidates, flagged for experts",
                _list_flagged_runs(
                    (each for each in results.scenarios if each.status == "OF"), "breakthrough candidate"
                ),
                "the answer",
            ),
        ),
    )


def build_fragility_section(results: Results) -> ReportSection:
    """Build the section on scenarios solved as stated that failed on every variant."""
    kinds = [each for each in results.scenarios if each.status == "KS-Fragile"]
    flagged = [each for each in results.scenarios if any("fragile" in run.flags for run in each.runs)]
    return ReportSection(
        title="Fragility",
        paragraphs=(
            (
                "A flag means: solved as stated, but failed on every variant with slightly different numbers. "
                f"Flagged scenarios: {len(flagged)}. KS-Fragile scenarios that were run: {len(kinds)}."
            ),
        ),
        tables=(_build_scenario_table("Flagged as fragile", flagged, "No scenario has the flag."),),
    )


def build_false_solution_section(results: Results) -> ReportSection:
    """Build the section on answers that claim to solve an impossible scenario."""
    paradoxes = [each for each in results.scenarios if each.status == "PX"]
    scored_count = sum(len(_list_scored_runs(each)) for each in paradoxes)
    flagged = _list_flagged_runs(paradoxes, "false solution")
    false = [(each, run) for each, run in flagged if run.state is RunState.SCORED]
    if not paradoxes:
        return ReportSection(
            "False solutions of paradoxes", paragraphs=("No scenario of status PX was run.",)
        )
    rate = format_share(len(false) / scored_count) if scored_count else "no share, because no run was scored"
    return ReportSection(
        title="False solutions of paradoxes",
        paragraphs=(
            (
                f"{len(false)} of {scored_count} scored runs on {len(paradoxes)} PX scenarios propose a solution although none "
                f"exists ({rate})."
            ),
        ),
        tables=(_build_flagged_run_table("False solutions", flagged, "the answer"),),
    )


def _list_scored_runs(result: ScenarioResult) -> list[EvaluationRun]:
    return [run for run in result.runs if run.state is RunState.SCORED]


def _list_passed_runs(result: ScenarioResult) -> list[EvaluationRun]:
    return [run for run in _list_scored_runs(result) if run.passed]


def _list_flagged_runs(
    scenarios: Iterable[ScenarioResult], flag: str
) -> list[tuple[ScenarioResult, EvaluationRun]]:
    return [(each, run) for each in scenarios for run in each.runs if flag in run.flags]


def _format_scenario_cells(result: ScenarioResult) -> Row:
    return (
        shorten_text(result.scenario_id, 40),
        shorten_text(result.title, 60),
        shorten_text(result.tier, 20),
        shorten_text(result.status, 20),
        format_score(result.best),
        f"{len(_list_passed_runs(result))} of {len(_list_scored_runs(result))}",
    )


def _build_scenario_table(caption: str, scenarios: Sequence[ScenarioResult], empty_text: str) -> ReportTable:
    rows = tuple(_format_scenario_cells(each) for each in scenarios[:MOST_ROWS])
    return ReportTable(
        make_columns(*_HEADERS),
        rows,
        caption=_format_counted_caption(caption, len(scenarios)),
        empty_text=empty_text,
        links=tuple(ScenarioLink(each.scenario_id) for each in scenarios[:MOST_ROWS]),
    )


def _build_flagged_run_table(
    caption: str, flagged_runs: Sequence[tuple[ScenarioResult, EvaluationRun]], words: str
) -> ReportTable:
    """Return a table of runs with the calls of their plan, or else with their answer."""
    rows = tuple(
        (
            shorten_text(each.scenario_id, 40),
            shorten_text(each.title, 60),
            str(run.number),
            format_score(run.score),
            _quote_plan_or_answer_of_run(run, plan=words != "the answer"),
        )
        for each, run in flagged_runs[:MOST_ROWS]
    )
    heads = make_columns("scenario", "title", "#run", "#score", words)
    return ReportTable(
        heads,
        rows,
        caption=_format_counted_caption(caption, len(flagged_runs)),
        empty_text="No run has the flag.",
        links=tuple(ScenarioLink(each.scenario_id) for each, _ in flagged_runs[:MOST_ROWS]),
    )


def _quote_plan_or_answer_of_run(run: EvaluationRun, *, plan: bool) -> str:
    return shorten_text("; ".join(run.executed) if plan and run.executed else run.answer, _MOST_CHARACTERS)


def _format_counted_caption(caption: str, count: int) -> str:
    return f"{caption}: {MOST_ROWS} of {count}" if count > MOST_ROWS else f"{caption}: {count}"
