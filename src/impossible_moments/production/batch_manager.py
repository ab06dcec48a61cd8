"""Batches: scenarios are produced to a coverage plan, and what was lost is planned again from what was accepted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Final

from impossible_moments.domain.brief import GenerationBrief, parse_stored_brief
from impossible_moments.domain.thresholds import MILESTONES
from impossible_moments.domain.vocabulary import parse_main_status
from impossible_moments.ledger import ScenarioRow, ScenarioState, leases
from impossible_moments.pipeline import GenerationResult, Pipeline
from impossible_moments.production.batch_metrics import MeasuredBatch, measure_batches
from impossible_moments.production.coverage_plan import Cell, CoveragePlan, plan_coverage
from impossible_moments.production.coverage_targets import CoverageTargets
from impossible_moments.production.scenario_outcomes import read_scenario_outcomes
from impossible_moments.production.scenario_supply import ScenarioSupply, parse_tier
from impossible_moments.production.system_metrics import SystemMetrics, measure_system
from impossible_moments.scenarios import ScenarioMetadata

MOST_ROUNDS: Final = 30
"""How often the missing scenarios are planned again."""


@dataclass(frozen=True)
class BatchOutcome:
    """One batch: the results of its briefs, and how long it took."""

    number: int
    results: tuple[GenerationResult, ...]
    seconds: float

    def count(self, state: ScenarioState) -> int:
        """Return the number of scenarios that ended in a state."""
        return sum(each.state is state for each in self.results)


@dataclass(frozen=True)
class ProductionOutcome:
    """What a production run made: its batches, what every accepted scenario is, and what is missing."""

    targets: CoverageTargets
    batches: tuple[BatchOutcome, ...]
    made: Mapping[Cell, int]
    plan: CoveragePlan
    """The last plan. Its counts are what is still missing and could be made."""
    lost: Mapping[str, int] = field(default_factory=dict)
    """How many scenarios each phase discarded."""

    measured: tuple[MeasuredBatch, ...] = ()
    """The metrics of all batches of the folder, those of earlier runs included."""
    system: SystemMetrics | None = None

    @property
    def missing(self) -> int:
        """How many scenarios are missing to the total."""
        return max(self.targets.total - sum(self.made.values()), 0)


class BatchManager:
    """Produces scenarios with a pipeline until the targets are met or nothing more can be made.

    The state is the registry and the ledger of the output folder. So a run that is started again counts what was
    accepted, continues what is unfinished, and plans the rest.
    """

    def __init__(
        self,
        pipeline: Pipeline,
        targets: CoverageTargets,
        supply: ScenarioSupply,
        report_result: Callable[[GenerationResult], None] = lambda _result: None,
        advance_elsewhere: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        self._pipeline = pipeline
        self._targets = targets
        self._supply = supply
        self._report_result = report_result
        self._advance_elsewhere = advance_elsewhere
        """Advances enrolled scenarios on other machines. What they leave unfinished is produced here."""

    def plan(self) -> CoveragePlan:
        """Plan what is missing, from what the folder holds and what can still be made."""
        self._take_known_briefs(self._list_rows())
        return plan_coverage(self._targets, self._supply.count_capacity(), self.count_made())

    def count_made(self) -> Counter[Cell]:
        """Count the published scenarios by what they are, whatever was asked for."""
        return Counter(_get_published_cell(each) for each in self._pipeline.registry.entries.values())

    def run(
        self,
        start_batch: Callable[[int, int], None] = lambda _number, _size: None,
        report_milestone: Callable[[float, CoveragePlan], None] = lambda _share, _plan: None,
    ) -> ProductionOutcome:
        """Produce batch after batch. `start_batch` is called with the number and the size of each.

        `report_milestone` is called with each milestone that a batch has passed, and with the plan of what is missing.
        """
        batches: list[BatchOutcome] = []
        unfinished = self._resume_unfinished()
        if unfinished:
            batches.append(BatchOutcome(0, unfinished, 0.0))
        plan = self.plan()
        for number in range(1, MOST_ROUNDS + 1):
            briefs = self._choose_briefs(plan)
            if not briefs:
                break
            start_batch(number, len(briefs))
            started = monotonic()
            if self._advance_elsewhere is not None:
                self._advance_elsewhere(self._pipeline.enrol_all(briefs))
            results = self._pipeline.generate_all(briefs, on_result=self._report_result)
            batches.append(BatchOutcome(number, results, monotonic() - started))
            before = sum(plan.made.values())
            plan = plan_coverage(self._targets, self._supply.count_capacity(), self.count_made())
            for share in MILESTONES:
                if before < share * self._targets.total <= sum(plan.made.values()):
                    report_milestone(share, plan)
        rows = self._list_rows()
        lost = Counter(row.phase for row in rows if row.state is ScenarioState.DISCARDED)
        with self._pipeline.open_ledger() as store:
            outcomes = read_scenario_outcomes(store, self._pipeline.registry)
        return ProductionOutcome(
            self._targets,
            tuple(batches),
            self.count_made(),
            plan,
            lost,
            measure_batches(outcomes, self._targets),
            measure_system(outcomes),
        )

    def _choose_briefs(self, plan: CoveragePlan) -> list[GenerationBrief]:
        """Return the briefs of the next batch, which has a proportional mix of what is missing."""
        batches = plan.split_into_batches()
        if not batches:
            return []
        missing = self._targets.total - sum(self.count_made().values())
        wanted = [self._take_feasible_brief(cell) for cell in batches[0][:missing]]
        return [brief for brief in wanted if brief is not None]

    def _take_feasible_brief(self, cell: Cell) -> GenerationBrief | None:
        """Take briefs of a cell from the supply until one can be produced. Return None if none is left."""
        while (brief := self._supply.take_brief(cell)) is not None:
            if self._pipeline.is_feasible(brief):
                return brief
        return None

    def _resume_unfinished(self) -> tuple[GenerationResult, ...]:
        rows = self._list_rows()
        if not any(row.state is ScenarioState.RUNNING for row in rows):
            return ()
        return self._pipeline.resume(performers=self._pipeline.cast.format() or leases.ANY_PERFORMERS)

    def _take_known_briefs(self, rows: Iterable[ScenarioRow]) -> None:
        """Take every brief from the supply that the ledger knows, so that no design is made twice."""
        known = [brief for row in rows if (brief := parse_stored_brief(row.brief)) is not None]
        self._supply.take_known(known)

    def _list_rows(self) -> Sequence[ScenarioRow]:
        with self._pipeline.open_ledger() as store:
            return store.read_and_wait(leases.list_scenario_rows)


def _get_published_cell(entry: ScenarioMetadata) -> Cell:
    return Cell(entry.category, parse_tier(entry.tier), parse_main_status(entry.status))
