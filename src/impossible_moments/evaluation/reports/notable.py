"""Notable results: surprises, fragile successes, and false solutions of impossible scenarios."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from impossible_moments.domain.vocabulary import TIERS
from impossible_moments.evaluation.reports.form import Section, Table, columns, quoted, score, share
from impossible_moments.evaluation.results import Results, Run, ScenarioResult, State

MOST_ROWS: Final = 6
HARD: Final = TIERS[2:]
EASY: Final = TIERS[:2]

_HEADS: Final = ("scenario", "title", "tier", "status", "#best", "#passed")
_WORDS: Final = 160
_TIER_NAMES: Final[tuple[str, ...]] = TIERS

Row = tuple[str, ...]


def notable(results: Results) -> Section:
    """Build the section on hard scenarios solved, easy ones missed, and flagged answers."""
    solved = [each for each in results.scenarios if each.tier in HARD and _passed(each)]
    solved.sort(key=lambda each: (-_TIER_NAMES.index(each.tier), -len(_passed(each)), each.scenario_id))
    missed = [each for each in results.scenarios if each.tier in EASY and _scored(each) and not _passed(each)]
    missed.sort(key=lambda each: (_TIER_NAMES.index(each.tier), each.best or 0.0, each.scenario_id))
    return Section(
        title="Notable results",
        tables=(
            _table("Hard and solved", solved, "No scenario of RUPTURE or above was solved."),
            _table("Easy and missed", missed, "Every scored scenario of SPARK and FRACTURE was solved."),
            _flagged(
                "Solved in an unintended way",
                [found for found in _runs_with(results.scenarios, "unintended") if found[1].passed],
                "the parsed plan",
            ),
            _flagged(
                "Breakthrough candidates, flagged for experts",
                _runs_with(
                    (each for each in results.scenarios if each.status == "OF"), "breakthrough candidate"
                ),
                "the answer",
            ),
        ),
    )


def fragility(results: Results) -> Section:
    """Build the section on scenarios solved as stated that failed on every variant."""
    kinds = [each for each in results.scenarios if each.status == "KS-Fragile"]
    flagged = [each for each in results.scenarios if any("fragile" in run.flags for run in each.runs)]
    return Section(
        title="Fragility",
        paragraphs=(
            (
                "A flag means: solved as stated, but failed on every variant with slightly different numbers. "
                f"Flagged scenarios: {len(flagged)}. KS-Fragile scenarios that were run: {len(kinds)}."
            ),
        ),
        tables=(_table("Flagged as fragile", flagged, "No scenario has the flag."),),
    )


def false_solutions(results: Results) -> Section:
    """Build the section on answers that claim to solve an impossible scenario."""
    paradoxes = [each for each in results.scenarios if each.status == "PX"]
    scored = sum(len(_scored(each)) for each in paradoxes)
    flagged = _runs_with(paradoxes, "false solution")
    false = [(each, run) for each, run in flagged if run.state is State.SCORED]
    if not paradoxes:
        return Section("False solutions of paradoxes", paragraphs=("No scenario of status PX was run.",))
    rate = share(len(false) / scored) if scored else "no share, because no run was scored"
    return Section(
        title="False solutions of paradoxes",
        paragraphs=(
            (
                f"{len(false)} of {scored} scored runs on {len(paradoxes)} PX scenarios propose a solution although none "
                f"exists ({rate})."
            ),
        ),
        tables=(_flagged("False solutions", flagged, "the answer"),),
    )


def _scored(each: ScenarioResult) -> list[Run]:
    return [run for run in each.runs if run.state is State.SCORED]


def _passed(each: ScenarioResult) -> list[Run]:
    return [run for run in _scored(each) if run.passed]


def _runs_with(scenarios: Iterable[ScenarioResult], flag: str) -> list[tuple[ScenarioResult, Run]]:
    return [(each, run) for each in scenarios for run in each.runs if flag in run.flags]


def _cells(each: ScenarioResult) -> Row:
    return (
        quoted(each.scenario_id, 40),
        quoted(each.title, 60),
        quoted(each.tier, 20),
        quoted(each.status, 20),
        score(each.best),
        f"{len(_passed(each))} of {len(_scored(each))}",
    )


def _table(caption: str, scenarios: Sequence[ScenarioResult], otherwise: str) -> Table:
    rows = tuple(_cells(each) for each in scenarios[:MOST_ROWS])
    return Table(columns(*_HEADS), rows, caption=_counted(caption, len(scenarios)), otherwise=otherwise)


def _flagged(caption: str, found: Sequence[tuple[ScenarioResult, Run]], words: str) -> Table:
    """Return a table of runs with the calls of their plan, or else with their answer."""
    rows = tuple(
        (
            quoted(each.scenario_id, 40),
            quoted(each.title, 60),
            str(run.number),
            score(run.score),
            _words_of(run, plan=words != "the answer"),
        )
        for each, run in found[:MOST_ROWS]
    )
    heads = columns("scenario", "title", "#run", "#score", words)
    return Table(heads, rows, caption=_counted(caption, len(found)), otherwise="No run has the flag.")


def _words_of(run: Run, *, plan: bool) -> str:
    return quoted("; ".join(run.executed) if plan and run.executed else run.answer, _WORDS)


def _counted(caption: str, count: int) -> str:
    return f"{caption}: {MOST_ROWS} of {count}" if count > MOST_ROWS else f"{caption}: {count}"
