"""The computation of a seed document that all answers of EULER share."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from impossible_moments.agents.builtin.seed_content import (
    CACHED_SEEDS,
    parse_seed_content,
    serialize_seed_content,
)
from impossible_moments.agents.builtin.sketch_plans import SketchPlan, split_sketch_into_plans
from impossible_moments.domain.seed import SeedDocument
from impossible_moments.mechanics.checks import CheckReport, StatusVerdict, WorldAnalysis, verify_record
from impossible_moments.mechanics.execution import Move, MoveError, PlanOutcome
from impossible_moments.mechanics.records import Library, PlanError, QuantityKind


@dataclass(frozen=True)
class AnsweringPlan:
    """A plan that answers the scenario, executed where it does."""

    name: str
    moves: tuple[Move, ...]
    outcome: PlanOutcome
    changes: Mapping[str, float]
    lifted: frozenset[str]


@dataclass(frozen=True)
class ExecutedSketch:
    """A plan of the sketch as ATHENA wrote it, executed. `problem` says why it cannot be."""

    plan: SketchPlan
    executed: AnsweringPlan | None
    problem: str = ""

    @property
    def works(self) -> bool:
        """Whether the plan reaches the goal in time."""
        return self.executed is not None and self.executed.outcome.reaches_goal


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

    @cached_property
    def sketch(self) -> tuple[ExecutedSketch, ...]:
        """The plans of the sketch, executed at the stated values or at an end of a disputed range."""
        if self.analysis is None:
            return ()
        plans = split_sketch_into_plans(self.seed, self.analysis.plans)
        return tuple(self._execute_sketch_plan(plan) for plan in plans)

    def _execute_sketch_plan(self, plan: SketchPlan) -> ExecutedSketch:
        assert self.analysis is not None, "plans are run in an executed world"
        try:
            moves = self.analysis.executor.parse_plan(plan.calls)
        except (PlanError, MoveError) as problem:
            return ExecutedSketch(plan, None, str(problem))
        disputed = [
            {quantity.name: end}
            for quantity in self.analysis.world.quantities.values()
            for end in (quantity.low, quantity.high)
            if quantity.kind is QuantityKind.DISPUTED and end is not None
        ]
        trials: tuple[dict[str, float], ...] = ({}, *disputed)
        runs = [self._run_plan(moves, changes, frozenset()) for changes in trials]
        return ExecutedSketch(plan, next((run for run in runs if run.outcome.reaches_goal), runs[0]))

    @property
    def main_plan(self) -> AnsweringPlan | None:
        """The plan that the sketch describes: the one whose calls it lists, else the first plan."""
        calls = [step.call for step in self.seed.solution_sketch.steps if step.call]
        for plan in self.plans:
            texts = [move.text for move in plan.moves]
            if texts and texts == calls[: len(texts)]:
                return plan
        return self.plans[0] if self.plans else None


@lru_cache(maxsize=CACHED_SEEDS)
def _check_record_json(record: str, library: Library) -> CheckReport:
    data: dict[str, Any] = json.loads(record)
    return verify_record(data, library)


def build_workings(seed: SeedDocument, library: Library) -> RecordWorkings:
    """Return the workings of a seed document, computed once for each content."""
    return _build_workings_of_content(serialize_seed_content(seed), library)


@lru_cache(maxsize=CACHED_SEEDS)
def _build_workings_of_content(content: str, library: Library) -> RecordWorkings:
    return RecordWorkings(parse_seed_content(content), library)
