"""Check every record again: the status with the present library, the working plans with the second executor."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Final

from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.evaluation.reference_executor import replay_plan
from impossible_moments.mechanics.checks import CheckReport, verify_record
from impossible_moments.mechanics.execution import SearchBounds
from impossible_moments.mechanics.uncertain import (
    NotExhausted,
    UncertainRecordError,
    UncertainWorld,
    is_uncertain_record,
    measure_world,
    parse_uncertain_record,
)
from impossible_moments.production.quality.quality_report import QualityCheck, build_check
from impossible_moments.production.quality.released_scenarios import ReleasedScenarios
from impossible_moments.scenarios import ScenarioMetadata

_SECONDS: Final = 120.0
"""Processor seconds after which the check of one record stops."""
_SHOWN: Final = 3


def check_mechanics(
    released: ReleasedScenarios, report_progress: Callable[[], None] = lambda: None
) -> QualityCheck:
    """Verify every record, compare the status with the registry, and replay the working plans."""
    problems: list[str] = []
    for name, record in released.records.items():
        entry = released.entries[name]
        if is_uncertain_record(record):
            problems += _find_world_problems(name, record)
        else:
            end = process_time() + _SECONDS
            report = verify_record(record, released.library, SearchBounds(stop=partial(_is_past, end)))
            problems += _find_record_problems(name, report, entry, str(released.library))
        report_progress()
    return build_check(
        "mechanics", f"{len(released.records)} records verified within {released.library}", problems
    )


def _is_past(end: float) -> bool:
    return process_time() > end


def _find_record_problems(
    name: str, report: CheckReport, entry: ScenarioMetadata, library: str
) -> Iterator[str]:
    for finding in report.findings.errors[:_SHOWN]:
        yield f"{name}: {finding}"
    if entry.library != library:
        yield f"{name} was made within {entry.library}, and the present library is {library}"
    if report.analysis is None or report.verdict is None:
        return
    computed = report.verdict.status
    if computed is None or parse_main_status(computed) != parse_main_status(entry.status):
        yield f"{name} is published as {entry.status}, and the record is {computed or 'undecided'}"
    for plan, outcome in report.analysis.outcomes.items():
        calls = tuple(move.text for move in report.analysis.plans[plan])
        if replay_plan(report.analysis.world, calls).reaches_goal != outcome.reaches_goal:
            yield f"{name}: the two executors disagree on the approach {plan}"


def _find_world_problems(name: str, record: object) -> Iterator[str]:
    try:
        measures = measure_world(UncertainWorld(parse_uncertain_record(record)))
    except (UncertainRecordError, NotExhausted) as problem:
        yield f"{name}: {problem}"
        return
    for objection in measures.find_objections():
        yield f"{name}: {objection}"
