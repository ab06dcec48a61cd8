"""Composed worlds in whole numbers: a structure with figures, followed for one state or for many at once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from impossible_moments.composition.structures import CLOCK, Figures, PlaceStructure, PlayedJob

Rows: TypeAlias = NDArray[np.int32]
UNLIMITED: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Step:
    """A job in whole numbers. Every entry names a column of the state.

    `tests` are (name, column, sign, bound): sign times the value must be at most sign times the bound.
    """

    name: str
    tests: tuple[tuple[str, int, int, int], ...]
    takes: int
    swap: int
    setting_column: int
    setting: int
    changes: tuple[tuple[int, int], ...]
    sets: tuple[tuple[int, int], ...]
    floors: tuple[tuple[int, int], ...]
    """Columns that the job lowers without a condition of its own: they must not fall below zero."""
    stage_column: int


@dataclass(frozen=True, slots=True)
class JobTable:
    """All jobs as arrays, one row for each. Jobs with fewer tests than others are filled up with tests that always hold."""

    test_columns: NDArray[np.int64]
    test_signs: Rows
    test_bounds: Rows
    takes: Rows
    swaps: Rows
    setting_columns: NDArray[np.int64]
    settings: Rows
    changes: Rows
    is_set: NDArray[np.bool_]
    set_values: Rows


class JobWorld:
    """A structure with figures. Columns: stocks, stages left, settings, heat, occupied things, knowledge, time."""

    def __init__(
        self, structure: PlaceStructure, figures: Figures, *, dropped: frozenset[str] = frozenset()
    ) -> None:
        """Compile a structure. `dropped` names conditions that do not hold, as a record names them."""
        self.structure, self.figures, self.dropped = structure, figures, dropped
        names = [
            *(each.name for each in structure.stocks),
            *(f"{each.name}_left" for each in structure.stages),
            *(f"{each.name}.setting" for each in structure.machines),
            *(f"{each.name}.hot" for each in structure.machines if structure.must_rest(each)),
            *(f"{each.name}.taken" for each in structure.things),
            *(f"{each.name}.known" for each in structure.knowledge),
        ]
        self.columns = {name: place for place, name in enumerate(names)}
        self.time_column = len(names)
        self.settings = self._number_settings()
        self.clock = UNLIMITED if "deadline" in dropped else figures.get(CLOCK, UNLIMITED)
        self.rises = tuple(
            (self.columns[each.name], figures[f"{each.name}_rises"], self._find_most(each.name))
            for each in structure.stocks
            if each.rises is not None
        )
        self.steps = tuple(self._compile_job(job) for job in structure.jobs)
        self.bounds = tuple(self._list_bounds())
        self.stage_columns = tuple(self.columns[f"{each.name}_left"] for each in structure.stages)

    def _find_most(self, stock: str) -> int:
        if f"{stock}_too_high" in self.dropped:
            return UNLIMITED
        return self.figures.get(f"{stock}_most", UNLIMITED)

    def _number_settings(self) -> dict[tuple[str, str], int]:
        found: dict[tuple[str, str], int] = {}
        for job in self.structure.jobs:
            if job.machine is not None:
                setting = job.form.setting or job.name
                found.setdefault((job.machine.name, setting), len(found) + 1)
        return found

    def _compile_job(self, job: PlayedJob) -> Step:
        columns, figures = self.columns, self.figures
        return Step(
            job.name,
            tuple(test for test in self._list_tests(job) if f"{job.name}.{test[0]}" not in self.dropped),
            figures[f"{job.name}_takes"],
            figures.get(f"{job.machine.name}_swap", 0) if job.machine is not None else 0,
            columns[f"{job.machine.name}.setting"] if job.machine is not None else -1,
            self.settings[job.machine.name, job.form.setting or job.name] if job.machine is not None else 0,
            (
                *((columns[name], -figures[f"{job.name}_{name}"]) for name in job.uses),
                *((columns[name], figures[f"{job.name}_{name}"]) for name in job.gives),
                *(((columns[f"{job.stage.name}_left"], -1),) if job.stage is not None else ()),
            ),
            tuple(self._list_sets(job)),
            tuple(
                (columns[name], figures[f"{job.name}_{name}"])
                for name in job.uses
                if self._get_rate(name) is not None
            ),
            columns[f"{job.stage.name}_left"] if job.stage is not None else -1,
        )

    def _list_bounds(self) -> list[tuple[int, int, int]]:
        """Return the bounds that a record gives its states. They matter only where conditions are dropped."""
        structure, columns = self.structure, self.columns
        stocks = [
            (columns[each.name], 0 if each.rises is not None else -bound, bound)
            for each in structure.stocks
            for bound in [structure.compute_bound(each)]
        ]
        return [*stocks, *((columns[f"{each.name}_left"], 0, UNLIMITED) for each in structure.stages)]

    def _get_rate(self, stock: str) -> int | None:
        return self.figures.get(f"{stock}_rises")

    def _list_tests(self, job: PlayedJob) -> list[tuple[str, int, int, int]]:
        """Return the conditions in the order in which the record states them, with the names that it gives them."""
        columns, figures, structure = self.columns, self.figures, self.structure
        tests: list[tuple[str, int, int, int]] = []
        if job.stage is not None:
            tests.append(("left", columns[f"{job.stage.name}_left"], -1, 1))
            played = {each.name for each in structure.stages}
            tests += [
                (f"after_{name}", columns[f"{name}_left"], 1, 0) for name in job.stage.after if name in played
            ]
        if job.knows is not None:
            tests.append(("known", columns[f"{job.knows}.known"], -1, 1))
        if job.learns is not None:
            tests.append(("unknown", columns[f"{job.learns}.known"], 1, 0))
        if job.occupies is not None:
            tests.append(("free", columns[f"{job.occupies}.taken"], 1, 0))
        if job.machine is not None and structure.must_rest(job.machine):
            tests.append(("rested", columns[f"{job.machine.name}.hot"], 1, 0))
        marks = {each.name: each for each in structure.marks}
        for name in job.needs:
            sign = 1 if marks[name].side == "at most" else -1
            bound = figures.get(name, UNLIMITED * sign)
            tests.append((f"at_{name}", columns[marks[name].stock], sign, bound))
        tests += [
            (f"enough_{name}", columns[name], -1, figures[f"{job.name}_{name}"])
            for name in job.uses
            if self._get_rate(name) is None
        ]
        if job.clears is not None:
            tests.append((f"some_{job.clears}", columns[job.clears], -1, 1))
        tests += [
            (f"room_{name}", columns[name], 1, figures[f"{name}_most"] - figures[f"{job.name}_{name}"])
            for name in job.gives
            if f"{name}_most" in figures and self._get_rate(name) is None
        ]
        return tests

    def _list_sets(self, job: PlayedJob) -> list[tuple[int, int]]:
        columns, structure = self.columns, self.structure
        sets = [(columns[job.clears], 0)] if job.clears is not None else []
        if job.occupies is not None:
            sets.append((columns[f"{job.occupies}.taken"], 1))
        if job.learns is not None:
            sets.append((columns[f"{job.learns}.known"], 1))
        resting = [each for each in structure.machines if structure.must_rest(each)]
        return [*sets, *((columns[f"{each.name}.hot"], int(job.machine is each)) for each in resting)]

    def build_start(self) -> list[int]:
        """Return the state at the start, with the time as its last entry."""
        state = [0] * (self.time_column + 1)
        for stock in self.structure.stocks:
            state[self.columns[stock.name]] = self.figures.get(stock.name, UNLIMITED)
        for stage in self.structure.stages:
            state[self.columns[f"{stage.name}_left"]] = self.structure.count(stage)
        return state

    def is_done(self, state: list[int]) -> bool:
        """Return whether every stage is complete."""
        return not any(state[column] for column in self.stage_columns)

    def find_failure(self, number: int, state: list[int]) -> str:
        """Return the name of the first condition of a job that fails in a state, or an empty text."""
        for name, column, sign, bound in self.steps[number].tests:
            if sign * state[column] > sign * bound:
                return name
        return ""

    def take_step(self, number: int, state: list[int]) -> list[int] | str:
        """Return the state after a job, or why the job is not possible."""
        if failure := self.find_failure(number, state):
            return failure
        step, after = self.steps[number], state.copy()
        takes = step.takes
        if step.setting_column >= 0:
            takes += step.swap * (state[step.setting_column] != step.setting)
            after[step.setting_column] = step.setting
        after[self.time_column] += takes
        for column, rate, most in self.rises:
            after[column] += rate * takes
            if after[column] >= most:
                return "danger"
        for column, amount in step.changes:
            after[column] += amount
        if any(after[column] < 0 for column, _ in step.floors):
            return "floor"
        for column, value in step.sets:
            after[column] = value
        if any(after[column] >= most for column, _, most in self.rises):
            return "danger"
        return after if after[self.time_column] <= self.clock else "late"

    def advance(self, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int16], Rows]:
        """Carry out every job in every row in which it is possible.

        Return for each new row the row that it came from and the job, ordered by job, and the new rows.
        """
        table = self.table
        tested = rows[:, table.test_columns] * table.test_signs <= table.test_bounds
        moves, sources = np.nonzero(tested.all(axis=2).T)
        before, time = rows[sources], self.time_column
        takes = table.takes[moves]
        has_setting = table.setting_columns[moves] >= 0
        current = before[np.arange(len(before)), table.setting_columns[moves]]
        takes = takes + table.swaps[moves] * (has_setting & (current != table.settings[moves]))
        after = before + table.changes[moves]
        after[:, time] += takes
        kept = after[:, time] <= self.clock
        for column, rate, most in self.rises:
            risen = before[:, column] + rate * takes
            after[:, column] += rate * takes
            kept &= (risen < most) & (after[:, column] >= 0)
        after = np.where(table.is_set[moves], table.set_values[moves], after)
        for column, _, most in self.rises:
            kept &= after[:, column] < most
        if self.dropped:
            for column, low, high in self.bounds:
                kept &= (after[:, column] >= low) & (after[:, column] <= high)
        return sources[kept], moves[kept].astype(np.int16), after[kept]

    @cached_property
    def table(self) -> JobTable:
        """All jobs as arrays."""
        return _tabulate_steps(self.steps, self.time_column + 1)


def _tabulate_steps(steps: tuple[Step, ...], width: int) -> JobTable:
    count, most = len(steps), max((len(step.tests) for step in steps), default=0)
    table = JobTable(
        test_columns=np.zeros((count, most), dtype=np.int64),
        test_signs=np.zeros((count, most), dtype=np.int32),
        test_bounds=np.zeros((count, most), dtype=np.int32),
        takes=np.array([step.takes for step in steps], dtype=np.int32),
        swaps=np.array([step.swap for step in steps], dtype=np.int32),
        setting_columns=np.array([step.setting_column for step in steps], dtype=np.int64),
        settings=np.array([step.setting for step in steps], dtype=np.int32),
        changes=np.zeros((count, width), dtype=np.int32),
        is_set=np.zeros((count, width), dtype=bool),
        set_values=np.zeros((count, width), dtype=np.int32),
    )
    for number, step in enumerate(steps):
        for place, (_, column, sign, bound) in enumerate(step.tests):
            table.test_columns[number, place] = column
            table.test_signs[number, place], table.test_bounds[number, place] = sign, sign * bound
        for column, amount in step.changes:
            table.changes[number, column] += amount
        settings = ((step.setting_column, step.setting),) if step.setting_column >= 0 else ()
        for column, value in (*step.sets, *settings):
            table.is_set[number, column], table.set_values[number, column] = True, value
    return table
