"""Measure and print: CPU time, not wall time, because machines are shared."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median

from benchmarks.corpus import corpus
from benchmarks.documents import scenario_text
from benchmarks.evaluation import speeds as scoring_speeds
from benchmarks.measuring import cpu
from benchmarks.models import efficiencies, sent
from benchmarks.orchestration import overheads
from benchmarks.similarity import speeds
from benchmarks.worlds import rated_world, wide_world
from impossible_moments.agents.builtin.cast import load_builtin_cast
from impossible_moments.audit.document_audit import audit_document
from impossible_moments.library.everyday_library import load_everyday_library
from impossible_moments.mechanics.checks.record_check import verify_record
from impossible_moments.mechanics.checks.world_analysis import WorldAnalysis
from impossible_moments.mechanics.execution.search_limits import SearchBounds
from impossible_moments.mechanics.findings.finding import Findings
from impossible_moments.mechanics.records.documents import load_document
from impossible_moments.mechanics.records.record_validation import parse_record
from impossible_moments.mechanics.world.building.world_builder import build_world

EXAMPLE = Path(__file__).parent.parent / "examples" / "blast_room.yaml"


def main() -> None:
    """Run every benchmark and print a line for each."""
    print(f"{'what':<58}{'measured':>16}{'goal':>18}")
    _checking()
    _searching()
    _executing()
    _auditing()
    for what, measured, goal in (*speeds(), *overheads(), *sent(), *efficiencies(), *scoring_speeds()):
        _line(what, measured, goal)
    _creating()
    _importing()
    print(
        f"{'largest memory of this run':<58}{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:>13.0f} MB"
    )


def _line(what: str, measured: str, goal: str) -> None:
    print(f"{what:<58}{measured:>16}{goal:>18}", flush=True)


def _checking() -> None:
    data, library = load_document(EXAMPLE), load_everyday_library()
    first = cpu(lambda: verify_record(data, library))
    _line("check of The Blast Room, first in a process", f"{first * 1e3:.1f} ms", "")
    _line(
        "check of The Blast Room, later ones",
        f"{cpu(lambda: verify_record(data, library), 30) * 1e3:.1f} ms",
        "< 10 ms",
    )


def _creating() -> None:
    """One scenario of each category by the built-in cast, from the brief to its documents."""
    cast = load_builtin_cast()
    seconds = [each.seconds for each in corpus(cast, 1).made]
    _line("a scenario by the built-in cast, median of the categories", f"{median(seconds):.2f} s", "< 1 s")


def _searching() -> None:
    world, _ = build_world(wide_world(), load_everyday_library(), Findings())
    analysis = WorldAnalysis(world)
    bounds = SearchBounds()
    seconds = cpu(lambda: analysis.searcher.find_plan(bounds))
    plan = analysis.searcher.find_plan(SearchBounds())
    calls = len(plan) if plan else 0
    own = len([action for action in world.actions.values() if action.own])
    _line(
        f"search, 10 objects, {own} operators, {bounds.used} nodes, plan of {calls}",
        f"{seconds * 1e3:.0f} ms",
        "< 200 ms",
    )
    seconds = cpu(lambda: WorldAnalysis(world).minimal_plans)
    _line("all ways of that world, to the end", f"{seconds * 1e3:.0f} ms", "")


def _executing() -> None:
    record = parse_record(load_document(EXAMPLE), Findings())
    assert record is not None
    world, _ = build_world(record, load_everyday_library(), Findings())
    executor = WorldAnalysis(world).executor
    plan = executor.parse_plan(record.approaches[0].plan)
    _rate("10,000 plans executed, no rates", lambda: executor.run_plan(plan), 10_000, 10_000)
    world, _ = build_world(rated_world(), load_everyday_library(), Findings())
    executor = WorldAnalysis(world).executor
    plan = executor.parse_plan(world.record.approaches[0].plan)
    _rate("10,000 plans executed, with rates", lambda: executor.run_plan(plan), 10_000, 1_000)


def _rate(what: str, work: Callable[[], object], times: int, goal: int) -> None:
    seconds = cpu(lambda: [work() for _ in range(times)])
    _line(what, f"{times / seconds:,.0f} /s", f"> {goal:,} /s")


def _auditing() -> None:
    text = scenario_text()
    seconds = cpu(lambda: audit_document(text), 5)
    _line(f"audit of a scenario of {len(text):,} characters", f"{seconds * 1e3:.0f} ms", "< 400 ms")


def _importing() -> None:
    for what, code, goal in (
        ("import impossible_moments", "import impossible_moments", ""),
        (
            "load the everyday library",
            "from impossible_moments.library.everyday_library import load_everyday_library; load_everyday_library()",
            "",
        ),
        ("import the checker", "import impossible_moments.mechanics.checks.record_check", ""),
        (
            "im --help",
            "import sys; sys.argv = ['im', '--help']; from impossible_moments.cli.main import main; main()",
            "< 500 ms",
        ),
    ):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - our own interpreter
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        _line(f"{what}, in a new process", f"{seconds * 1e3:.0f} ms", goal)


if __name__ == "__main__":
    main()
