"""The structure of a place at a level: which stocks, jobs, stages and equipment are in play."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

from impossible_moments.composition.place_files import (
    Figure,
    JobForm,
    KnowledgeForm,
    MachineForm,
    MarkForm,
    PlaceForm,
    StageForm,
    StockForm,
    ThingForm,
)

Figures: TypeAlias = Mapping[str, int]
"""Whole numbers by the name of the quantity that states them."""
CLOCK: Final = "clock"
BOUND_FACTOR: Final = 24


@dataclass(frozen=True)
class PlayedJob:
    """A job in play, with the stage that it advances, and only the ports whose stocks are in play."""

    form: JobForm
    stage: StageForm | None
    uses: tuple[str, ...]
    gives: tuple[str, ...]
    clears: str | None
    needs: tuple[str, ...]
    machine: MachineForm | None
    occupies: str | None
    learns: str | None
    knows: str | None

    @property
    def name(self) -> str:
        """The verb of the record."""
        return self.form.name


@dataclass(frozen=True)
class PlaceStructure:
    """A place at a level. Two levels with the same parts differ only in figures and counts."""

    place: PlaceForm
    level: int

    @cached_property
    def stocks(self) -> tuple[StockForm, ...]:
        """The stocks in play."""
        return tuple(each for each in self.place.stocks if each.from_level <= self.level)

    @cached_property
    def stages(self) -> tuple[StageForm, ...]:
        """The stages in play."""
        return tuple(each for each in self.place.stages if each.from_level <= self.level)

    @cached_property
    def machines(self) -> tuple[MachineForm, ...]:
        """The machines that some job in play uses."""
        used = {job.machine.name for job in self.jobs if job.machine is not None}
        return tuple(each for each in self.place.machines if each.name in used)

    @cached_property
    def things(self) -> tuple[ThingForm, ...]:
        """The things that some job in play occupies."""
        used = {job.occupies for job in self.jobs}
        return tuple(each for each in self.place.things if each.name in used)

    @cached_property
    def knowledge(self) -> tuple[KnowledgeForm, ...]:
        """What can be found out."""
        used = {job.learns for job in self.jobs}
        return tuple(each for each in self.place.knowledge if each.name in used)

    @cached_property
    def marks(self) -> tuple[MarkForm, ...]:
        """The marks that some job in play needs."""
        used = {name for job in self.jobs for name in job.needs}
        return tuple(each for each in self.place.marks if each.name in used)

    @cached_property
    def jobs(self) -> tuple[PlayedJob, ...]:
        """The jobs in play: those of stages first."""
        found: list[tuple[JobForm, StageForm | None]] = [
            (job, stage) for stage in self.stages for job in stage.jobs
        ]
        found += [(job, None) for job in self.place.supplies]
        return tuple(
            self._reduce_job(job, stage) for job, stage in found if job.from_level <= self.level <= job.until
        )

    def _reduce_job(self, job: JobForm, stage: StageForm | None) -> PlayedJob:
        stocks = {each.name for each in self.stocks}
        marks = {each.name: each for each in self.place.marks}
        things = {each.name for each in self.place.things if each.from_level <= self.level}
        known = {each.name for each in self.place.knowledge if each.from_level <= self.level}
        machines = {each.name: each for each in self.place.machines if each.from_level <= self.level}
        return PlayedJob(
            job,
            stage,
            tuple(name for name in job.uses if name in stocks),
            tuple(name for name in job.gives if name in stocks),
            job.clears if job.clears in stocks else None,
            tuple(name for name in job.needs if marks[name].stock in stocks),
            machines.get(job.machine or ""),
            job.occupies if job.occupies in things else None,
            job.learns if job.learns in known else None,
            job.knows if job.knows in known else None,
        )

    @property
    def signature(self) -> tuple[str, ...]:
        """What tells this structure from those of other levels. Counts and figures do not."""
        parts = (self.stocks, self.stages, self.machines, self.things, self.knowledge, self.jobs)
        rests = [each.name for each in self.machines if self.must_rest(each)]
        counted = [each.name for each in self.stages if self.count(each) > 1]
        return (*(each.name for part in parts for each in part), "rests", *rests, "counted", *counted)

    def must_rest(self, machine: MachineForm) -> bool:
        """Return whether a machine must rest after each of its jobs at this level."""
        return machine.rests_from is not None and machine.rests_from <= self.level

    def count(self, stage: StageForm) -> int:
        """Return how often a stage must be done."""
        return stage.get_count(self.level)

    def is_filled(self, stock: StockForm) -> bool:
        """Return whether some job in play gives a stock."""
        return any(stock.name in job.gives for job in self.jobs)

    def iterate_drawn_figures(self) -> Iterator[tuple[str, Figure]]:
        """Yield the figures that are drawn, each with its range. All others follow from the way."""
        for stock in self.stocks:
            if stock.start is not None and (stock.kind == "hazard" or self.is_filled(stock)):
                yield stock.name, stock.start
            if stock.rises is not None:
                yield f"{stock.name}_rises", stock.rises
        for machine in self.machines:
            if machine.swap is not None:
                yield f"{machine.name}_swap", machine.swap
        for job in self.jobs:
            yield f"{job.name}_takes", job.form.takes
            yield from ((f"{job.name}_{name}", job.form.uses[name]) for name in job.uses)
            yield from ((f"{job.name}_{name}", job.form.gives[name]) for name in job.gives)

    def list_carried_stocks(self, job: PlayedJob) -> tuple[str, ...]:
        """Return the stocks to which a job moves what it takes from the one that it carries."""
        units = {each.name: each.unit for each in self.stocks}
        carried = job.form.carries
        if carried not in job.uses:
            return ()
        return tuple(name for name in job.gives if units[name] == units[carried])

    def is_balanced(self, job: PlayedJob, figures: Figures) -> bool:
        """Return whether a job gives no more of what it carries than it takes."""
        names = self.list_carried_stocks(job)
        given = sum(figures[f"{job.name}_{name}"] for name in names)
        return not names or given <= figures[f"{job.name}_{job.form.carries}"]

    def list_limits(self) -> tuple[str, ...]:
        """Return the figures that limit what can be done, which are set from the way: starts, mosts, marks, clock."""
        starts = [
            each.name
            for each in self.stocks
            if each.kind == "store" and (each.start is None or not self.is_filled(each))
        ]
        mosts = [f"{each.name}_most" for each in self.stocks if each.has_most and self.has_raiser(each)]
        return (*starts, *mosts, *(each.name for each in self.marks), CLOCK)

    def has_raiser(self, stock: StockForm) -> bool:
        """Return whether anything raises a stock, so that a most matters."""
        return stock.rises is not None or self.is_filled(stock)

    def compute_bound(self, stock: StockForm) -> int:
        """Return a bound of a stock that no possible job reaches, whatever is drawn. A larger one would cost precision."""
        ports = [
            each for job in self.place.jobs for each in (job.uses.get(stock.name), job.gives.get(stock.name))
        ]
        highest = max((each.high for each in (*ports, stock.start) if each is not None), default=1)
        return BOUND_FACTOR * highest
