"""The computation of a seed document that all answers of EULER share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import CheckReport, StatusVerdict, WorldAnalysis, verify_record
from impossible_moments.mechanics.execution import Move, PlanOutcome
from impossible_moments.mechanics.records import Library


@dataclass(frozen=True)
class AnsweringPlan:
    """A plan that answers the scenario, executed where it does."""

    name: str
    moves: tuple[Move, ...]
    outcome: PlanOutcome
    changes: Mapping[str, float]
    lifted: frozenset[str]


class RecordWorkings:
    """The record of a seed document, executed, searched and proved."""

    def __init__(self, seed: SeedDocument, library: Library) -> None:
        self.seed = seed
        self.report: CheckReport = _check_record_json(
            json.dumps(seed.mechanics, sort_keys=True, default=str), library
        )

    @property
    def analysis(self) -> WorldAnalysis | None:
        """The analysis of the record, or None if the record could not be read."""
        return self.report.analysis

    @property
    def verdict(self) -> StatusVerdict | None:
        """The computed verdict, or None."""
        return self.report.verdict

    @property
    def status(self) -> str:
        """The computed status with its subtype, or `undecided`."""
        return (self.verdict.status if self.verdict is not None else None) or "undecided"

    @property
    def claimed_status(self) -> str:
        """The status that the record claims."""
        block = self.seed.mechanics.get("status")
        return str(block.get("claim", "")) if isinstance(block, dict) else ""

    @cached_property
    def plans(self) -> tuple[AnsweringPlan, ...]:
        """The plans that answer the scenario, the preferred one first."""
        analysis, verdict = self.analysis, self.verdict
        if analysis is None or verdict is None:
            return ()
        if verdict.crux is not None:
            quantity = analysis.world.quantities[verdict.crux.quantity]
            ends = ((quantity.low, verdict.crux.all_low), (quantity.high, verdict.crux.all_high))
            return tuple(
                self._run_plan(way.plan, {quantity.name: end}, frozenset())
                for end, ways in ends
                for way in ways
                if end is not None
            )
        lifted = frozenset(verdict.premises)
        outside = (verdict.outside,) if verdict.outside is not None else ()
        return tuple(
            self._run_plan(way.plan, {}, lifted if way in outside else frozenset())
            for way in (*verdict.ways, *outside)
        )

    def _run_plan(
        self, moves: tuple[Move, ...], changes: Mapping[str, float], lifted: frozenset[str]
    ) -> AnsweringPlan:
        assert self.analysis is not None, "plans are run in an executed world"
        named = {plan: name for name, plan in self.analysis.plans.items()}
        outcome = self.analysis.executor.run_plan(moves, changes=changes, lifted=lifted)
        return AnsweringPlan(
            named.get(moves, " then ".join(move.text for move in moves)), moves, outcome, changes, lifted
        )

    @property
    def main_plan(self) -> AnsweringPlan | None:
        """The plan that the sketch describes: the one whose calls it lists, else the first plan."""
        calls = [step.call for step in self.seed.solution_sketch.steps if step.call]
        for plan in self.plans:
            texts = [move.text for move in plan.moves]
            if texts and texts == calls[: len(texts)]:
                return plan
        return self.plans[0] if self.plans else None


@lru_cache(maxsize=4)
def _check_record_json(record: str, library: Library) -> CheckReport:
    data: dict[str, Any] = json.loads(record)
    return verify_record(data, library)
